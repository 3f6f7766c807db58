import { expect, test } from 'vitest';
import { accuracyOf } from '../src/values/accuracy';
import { advantage, betterOf, compareVerdicts, depthsOf } from '../src/values/verdicts';
import { played, verdict } from './made';

test('quick wins are best, then draws, unknown, slow losses, quick losses', () => {
  const order = ['win 1', 'win 5', 'win', 'draw', 'unknown', 'loss', 'loss 6', 'loss 2'].map(verdict);
  const shuffled = [3, 7, 0, 5, 2, 6, 1, 4].map((at) => order[at]!);
  expect(shuffled.sort(compareVerdicts)).toEqual(order);
  expect(betterOf(verdict('draw'), verdict('win 9'))).toEqual(verdict('win 9'));
});

test('the sooner the end, the closer to the edge, with the first player above', () => {
  const [soon, late] = [advantage(verdict('win 1'), 'first')!, advantage(verdict('win 40'), 'first')!];
  expect(soon).toBeGreaterThan(late);
  expect(late).toBeGreaterThan(0);
  expect(advantage(verdict('win 1'), 'second')).toBe(-soon);
  expect(advantage(verdict('loss 1'), 'second')).toBe(soon);
  expect(advantage(verdict('draw'), 'first')).toBe(0);
  expect(advantage(verdict('unknown'), 'first')).toBeNull();
});

test('depths are sorted as numbers, not as texts', () => {
  expect(depthsOf({ win: { 1: 5, 11: 2 }, loss: { 0: 3, 2: '9', 10: 1 } })).toEqual([0, 1, 2, 10, 11]);
});

test('accuracy counts turns with known values', () => {
  const turns = [
    played('a', 'first', 'win 3', 'win 3'),
    played('b', 'second', 'loss 2', 'loss 2'),
    played('c', 'first', 'win 1', 'draw', { mark: '?', better: 'x' }),
    played('d', 'first', 'draw', 'unknown'),
    played('e', 'first', 'win 3', 'win 5', { mark: '?!', better: 'x' }),
  ];
  expect(accuracyOf(turns, 'first')).toEqual({ known: 3, kept: 2, best: 1, missed: 1 });
  expect(accuracyOf([], 'second').known).toBe(0);
});
