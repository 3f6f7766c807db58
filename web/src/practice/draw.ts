// Finds puzzles: at random, from the address, or from the drills.

import { api } from '../api/api';
import type { Probe, Puzzle as ApiPuzzle, Seat } from '../api/types';
import { askedKind, type Kind, type PuzzleName } from '../values/puzzles';
import type { Puzzle } from './attempt.svelte';

const named = (game: string, kind: Kind, puzzle: ApiPuzzle): Puzzle => ({
  game,
  kind,
  position: puzzle.position,
  toMove: 'first',
  verdict: puzzle,
  solution: puzzle.solution,
  choices: puzzle.turns_available,
});

/** The largest share of best placements; with more, the puzzle is too easy. */
const FEW = 0.25;
/** The number of the first player's placements whose replies are considered. */
const TRIES = 6;

/** The share of turns that are as good as the best one. */
export function shareOfBest({ turns_available: turns, page }: Probe): number {
  const [best] = turns;
  if (!best) return 1;
  const equal = turns.filter(({ outcome, turns }) => outcome === best.outcome && turns === best.turns);
  return equal.length / (page?.count ?? turns.length);
}

/** The puzzle of a position before a placement. Many best placements make it easy, so fewer choices count. */
function placed(game: string, probe: Probe, toMove: Seat): Puzzle {
  const { position } = probe;
  const choices = Math.round(1 / shareOfBest(probe));
  return { game, kind: 'place', position, toMove, verdict: probe, solution: null, choices };
}

/** A uniformly random element. */
const any = <T>(things: T[]): T | undefined => things[Math.floor(Math.random() * things.length)];

/** A placement puzzle: the first player's placement, or the reply to one that leaves few good replies. */
async function placement(game: string): Promise<Puzzle | null> {
  const start = await api.probe(game, {});
  const asked: { probe: Probe; toMove: Seat }[] = [{ probe: start, toMove: 'first' }];
  // Won, drawn and lost placements are equally likely.
  const outcomes = [...new Set(start.turns_available.map(({ outcome }) => outcome))];
  for (let at = 0; at < TRIES; at++) {
    const outcome = any(outcomes);
    const turn = any(start.turns_available.filter((turn) => turn.outcome === outcome));
    if (!turn) break;
    const probe = await api.probe(game, { position: turn.position, to_move: 'second' });
    asked.push({ probe, toMove: 'second' });
  }
  const chosen = any(asked.filter(({ probe }) => shareOfBest(probe) <= FEW));
  if (!chosen) return null;
  const { probe, toMove } = chosen;
  return placed(game, probe, toMove);
}

/** Positions to look through for each wanted one, because drawn and lost ones come mixed. */
const MIXED = 8;
/** The most puzzles that a server gives at once. */
const AT_ONCE = 20;
/** Further requests, because some puzzles come twice or do not fit. */
const MORE_REQUESTS = 2;

/** Puzzles of a kind that depend only on the seed; random ones without. There may be fewer than `count`. */
export async function drawPuzzles(
  game: string,
  kind: Exclude<Kind, 'place'>,
  { turns, count, seed }: { turns: number | null; count: number; seed?: number },
): Promise<Puzzle[]> {
  const mixed = turns === null && (kind === 'save' || kind === 'delay');
  const looked = mixed ? MIXED * count : count;
  const requests = Math.ceil(looked / AT_ONCE) + MORE_REQUESTS;
  const found: ApiPuzzle[] = [];
  for (let request = 0; request < requests && found.length < count; request++) {
    const { puzzles } = await api.puzzles(game, {
      kind: askedKind(kind),
      turns: turns ?? undefined,
      random: true,
      seed: seed === undefined ? undefined : seed + request,
      limit: Math.min(looked, AT_ONCE),
    });
    if (puzzles.length === 0) break;
    const fits = ({ outcome }: ApiPuzzle) => !mixed || (outcome === 'draw') === (kind === 'save');
    const isNew = ({ position }: ApiPuzzle) => found.every((other) => other.position !== position);
    found.push(...puzzles.filter((puzzle) => fits(puzzle) && isNew(puzzle)));
  }
  return found.slice(0, count).map((puzzle) => named(game, kind, puzzle));
}

/** A random puzzle; null if none was found. */
export async function drawPuzzle(game: string, kind: Kind, turns: number | null): Promise<Puzzle | null> {
  if (kind === 'place') return placement(game);
  return (await drawPuzzles(game, kind, { turns, count: 1 }))[0] ?? null;
}

/** The puzzle of a position; null if it is not a puzzle. */
export async function findPuzzle({ game, kind, position, toMove }: PuzzleName): Promise<Puzzle | null> {
  if (kind === 'place') {
    const { to_place } = await api.view(game, { position, to_move: toMove });
    if (to_place.length === 0) return null;
    return placed(game, await api.probe(game, { position, to_move: toMove }), toMove);
  }
  const { puzzles } = await api.puzzles(game, { position, kind: askedKind(kind) });
  return puzzles[0] ? named(game, kind, puzzles[0]) : null;
}
