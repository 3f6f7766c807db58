// Puzzles are drawn: at random, from the address, or from the drills.

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

/** So much of all placements may be best at most, or finding one is no feat. */
const FEW = 0.25;
/** Replies are looked at for so many placements of the first player. */
const TRIES = 6;

/** The part of all turns that is as good as the best one. */
export function shareOfBest({ turns_available: turns, page }: Probe): number {
  const [best] = turns;
  if (!best) return 1;
  const equal = turns.filter(({ outcome, turns }) => outcome === best.outcome && turns === best.turns);
  return equal.length / (page?.count ?? turns.length);
}

/** One of some things, each as likely. */
const any = <T>(things: T[]): T | undefined => things[Math.floor(Math.random() * things.length)];

/** A placement to find: the first player's, or an answer to one of his that leaves few good answers. */
async function placement(game: string): Promise<Puzzle | null> {
  const start = await api.probe(game, {});
  const asked: { probe: Probe; toMove: Seat }[] = [{ probe: start, toMove: 'first' }];
  // Won, drawn and lost placements equally often, however many there are of each.
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

/** A puzzle at random; null if none was found. */
export async function drawPuzzle(game: string, kind: Kind, turns: number | null): Promise<Puzzle | null> {
  if (kind === 'place') return placement(game);
  const query = { kind, turns: turns ?? undefined, random: true, limit: 1 };
  const { puzzles } = await api.puzzles(game, query);
  return puzzles[0] ? named(game, kind, puzzles[0]) : null;
}

/** The puzzle of a name; null if it is none. */
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
