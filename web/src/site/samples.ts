// Puzzles of a large game that were sampled when the site was written: to find some takes many looks at values, which
// are far away from a page.

import { ApiError, type Query } from '../api/backend';
import type { PuzzleDepths, PuzzleList } from '../api/types';

/** The file of a game's puzzles. */
export interface PuzzleFile {
  game: string;
  kinds: { kind: string; depths: number[]; puzzles: PuzzleList['puzzles'] }[];
}

/** Numbers from 0 up to 1 that follow from a seed (mulberry32). */
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

/** As many as are asked for, in an order that follows from the seed. */
export function puzzlesOf(file: PuzzleFile, query: Query): PuzzleList {
  const kind = query.kind ?? 'win';
  const known = file.kinds.find((set) => set.kind === kind)?.puzzles ?? [];
  const fitting = known.filter(({ turns }) => query.turns === undefined || turns === Number(query.turns));
  const number = numbersOf(Number(query.seed ?? Math.random() * 2 ** 32));
  const drawn = fitting.map((puzzle) => ({ puzzle, at: number() })).sort((a, b) => a.at - b.at);
  const seed = query.seed === undefined ? null : Number(query.seed);
  const puzzles = drawn.slice(0, Number(query.limit ?? 1)).map(({ puzzle }) => puzzle);
  return { game: file.game, seed, puzzles };
}

/** The puzzle of a position, if it is one of the samples; null if it is not. */
export function puzzleAt(file: PuzzleFile, query: Query): PuzzleList | null {
  const known = file.kinds.find((set) => set.kind === (query.kind ?? 'win'))?.puzzles ?? [];
  const found = known.find(({ position }) => position === query.position);
  return found ? { game: file.game, seed: null, puzzles: [found] } : null;
}

/** Finding positions at random in a large game takes too much for a page. */
export const tooFar = (): ApiError =>
  new ApiError(
    'Finding such positions reads too much of a game of this size: puzzles are samples of it.',
    422,
  );
