// Puzzles of a large game, sampled when the site was written: finding puzzles reads many values, which is slow from a
// page.

import { ApiError, type Query } from '../api/backend';
import type { PuzzleDepths, PuzzleList } from '../api/types';

/** The puzzle file of a game. */
export interface PuzzleFile {
  game: string;
  kinds: { kind: string; depths: number[]; puzzles: PuzzleList['puzzles'] }[];
}

/** Seeded pseudorandom numbers in [0, 1) (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function depthsOf(file: PuzzleFile, query: Query): PuzzleDepths {
  const kind = query.kind ?? 'win';
  const depths = file.kinds.find((known) => known.kind === kind)?.depths ?? [];
  return { game: file.game, kind: kind as PuzzleDepths['kind'], depths };
}

/**
 * Picks the requested number of puzzles, in an order that depends on the seed. If no number of turns is requested,
 * puzzles of one turn are picked only if there are no others.
 */
export function puzzlesOf(file: PuzzleFile, query: Query): PuzzleList {
  const kind = query.kind ?? 'win';
  const known = file.kinds.find((set) => set.kind === kind)?.puzzles ?? [];
  const usual = known.some(({ turns }) => turns !== 1) ? known.filter(({ turns }) => turns !== 1) : known;
  const fitting =
    query.turns === undefined ? usual : known.filter(({ turns }) => turns === Number(query.turns));
  const number = numbersOf(Number(query.seed ?? Math.random() * 2 ** 32));
  const drawn = fitting.map((puzzle) => ({ puzzle, at: number() })).sort((a, b) => a.at - b.at);
  const seed = query.seed === undefined ? null : Number(query.seed);
  const puzzles = drawn.slice(0, Number(query.limit ?? 1)).map(({ puzzle }) => puzzle);
  return { game: file.game, seed, puzzles };
}

/** The puzzle of a position; null if it is not one of the samples. */
export function puzzleAt(file: PuzzleFile, query: Query): PuzzleList | null {
  const known = file.kinds.find((set) => set.kind === (query.kind ?? 'win'))?.puzzles ?? [];
  const found = known.find(({ position }) => position === query.position);
  return found ? { game: file.game, seed: null, puzzles: [found] } : null;
}

/** Finding random positions in a large game would read too much. */
export const tooFar = (): ApiError =>
  new ApiError('This game is too large to search for such positions here; it only has sample puzzles.', 422);
