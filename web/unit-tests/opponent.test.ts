import { expect, test } from 'vitest';
import type { Probe } from '../src/api/types';
import { bestTurns, goodReplies } from '../src/play/opponent';
import { turn } from './made';

const names = (turns: { turn: string }[]) => turns.map(({ turn }) => turn);

test('perfect play wins soon, else draws, else loses late', () => {
  const turns = [turn('a', 'win 5'), turn('b', 'win 3'), turn('c', 'win 3'), turn('d', 'draw')];
  expect(names(bestTurns(turns, null))).toEqual(['b', 'c']);
  expect(names(bestTurns([turn('a', 'loss 2'), turn('b', 'unknown'), turn('c', 'draw')], null))).toEqual([
    'b',
    'c',
  ]);
  expect(names(bestTurns([turn('a', 'loss 2'), turn('b', 'loss 8')], null))).toEqual(['b']);
  expect(bestTurns([], null)).toEqual([]);
});

test('beyond the horizon everything is a draw', () => {
  const turns = [turn('a', 'win 5'), turn('b', 'loss 6'), turn('c', 'draw'), turn('d', 'loss 2')];
  expect(names(bestTurns(turns, 4))).toEqual(['a', 'b', 'c']);
  expect(names(bestTurns(turns, 5))).toEqual(['a']);
  expect(names(bestTurns(turns, 0))).toEqual(['a', 'b', 'c', 'd']);
});

test('good replies are those as good as the best', () => {
  const turns_available = [turn('a', 'win 3'), turn('b', 'win 3'), turn('c', 'win 5')];
  expect(goodReplies({ turns_available } as Probe)).toBe(2);
  expect(goodReplies(undefined)).toBe(0);
});
