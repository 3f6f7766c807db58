// Finds puzzles: at random, from the address, or from the drills.

import { api } from '../api/api';
import type { Probe, Puzzle as ApiPuzzle, Seat } from '../api/types';
import type { Kind, PuzzleName } from '../values/puzzles';
import type { Puzzle } from './attempt.svelte';

const named = (game: string, kind: Kind, puzzle: ApiPuzzle): Puzzle => ({
  game,
  kind,
  position: puzzle.position,
  toMove: 'first',
  verdict: puzzle,
  solution: puzzle.solution,
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
  return { game, kind: 'place', position: probe.position, toMove, verdict: probe, solution: null };
}

/** A random puzzle; null if none was found. */
export async function drawPuzzle(game: string, kind: Kind, turns: number | null): Promise<Puzzle | null> {
  if (kind === 'place') return placement(game);
  const query = { kind, turns: turns ?? undefined, random: true, limit: 1 };
  const { puzzles } = await api.puzzles(game, query);
  return puzzles[0] ? named(game, kind, puzzles[0]) : null;
}

/** The puzzle of a position; null if it is not a puzzle. */
export async function findPuzzle({ game, kind, position, toMove }: PuzzleName): Promise<Puzzle | null> {
  if (kind === 'place') {
    const { to_place } = await api.view(game, { position, to_move: toMove });
    if (to_place.length === 0) return null;
    const verdict = await api.probe(game, { position, to_move: toMove });
    return { game, kind, position, toMove, verdict, solution: null };
  }
  const { puzzles } = await api.puzzles(game, { position, kind });
  return puzzles[0] ? named(game, kind, puzzles[0]) : null;
}
