// Puzzles from a site's file.

import { expect, test } from 'vitest';
import { depthsOf, puzzleAt, puzzlesOf, type PuzzleFile } from '../src/site/samples';

const puzzle = (position: string, turns: number | null) =>
  ({ position, turns, outcome: turns === null ? 'draw' : 'win' }) as PuzzleFile['kinds'][0]['puzzles'][0];
const file: PuzzleFile = {
  game: 'g',
  kinds: [
    { kind: 'win', depths: [3, 5], puzzles: [puzzle('a', 3), puzzle('b', 5), puzzle('c', 5)] },
    { kind: 'press', depths: [], puzzles: [puzzle('d', null)] },
  ],
};

test('puzzles are picked by kind, turns and seed', () => {
  expect(depthsOf(file, { kind: 'win' }).depths).toEqual([3, 5]);
  expect(puzzlesOf(file, { kind: 'win', turns: 5, limit: 9, seed: 1 }).puzzles).toHaveLength(2);
  expect(puzzlesOf(file, { kind: 'press', seed: 1 }).puzzles).toEqual([puzzle('d', null)]);
  expect(puzzlesOf(file, { kind: 'save', seed: 1 }).puzzles).toEqual([]);
});

test('puzzles of one turn are picked if they are requested, or if there are no others', () => {
  const [one, three] = [puzzle('a', 1), puzzle('b', 3)];
  const pick = (puzzles: (typeof one)[], query: object) =>
    puzzlesOf({ game: 'g', kinds: [{ kind: 'win', depths: [1], puzzles }] }, { limit: 9, seed: 1, ...query })
      .puzzles;
  expect(pick([one, three], {})).toEqual([three]);
  expect(pick([one, three], { turns: 1 })).toEqual([one]);
  expect(pick([one], {})).toEqual([one]);
});

test('the puzzle of an address is found among those of its kind', () => {
  expect(puzzleAt(file, { kind: 'press', position: 'd' })?.puzzles).toEqual([puzzle('d', null)]);
  expect(puzzleAt(file, { position: 'b' })?.puzzles).toEqual([puzzle('b', 5)]);
  expect(puzzleAt(file, { kind: 'win', position: 'd' })).toBeNull();
  expect(puzzleAt(file, { kind: 'save', position: 'a' })).toBeNull();
});
