import { expect, test } from 'vitest';
import { drillText, readDrills } from '../src/practice/drill-file';
import { afterMiss, afterSolution, dayOf, dueOn, merged, PAUSES, type Card } from '../src/practice/schedule';
import type { PuzzleName } from '../src/values/puzzles';

const puzzle = (position: string): PuzzleName => ({
  game: 'touchdown:4x4',
  kind: 'win',
  position,
  toMove: 'first',
});
const dueDays = (cards: Card[]) => cards.map(({ position, due }) => [position, due]);

test('a missed puzzle comes back after 1, 3, 7, 16, 35 and 75 days, and is learned then', () => {
  let cards = afterMiss([], puzzle('a'), 100);
  let today = 100;
  const pauses: number[] = [];
  while (cards[0]) {
    pauses.push(cards[0].due - today);
    today = cards[0].due;
    cards = afterSolution(cards, puzzle('a'), today);
  }
  expect(pauses).toEqual([1, 3, 7, 16, 35, 75]);
  expect(pauses).toEqual([...PAUSES]);
});

test('a puzzle that is missed again starts over, and a late answer counts from its day', () => {
  let cards = afterSolution(afterMiss([], puzzle('a'), 100), puzzle('a'), 101);
  expect(dueDays(cards)).toEqual([['a', 104]]);
  cards = afterSolution(cards, puzzle('a'), 110);
  expect(dueDays(cards)).toEqual([['a', 117]]);
  cards = afterMiss(cards, puzzle('a'), 117);
  expect(dueDays(cards)).toEqual([['a', 118]]);
});

test('a solution before its day, or of a puzzle that was never missed, changes nothing', () => {
  const cards = afterMiss([], puzzle('a'), 100);
  expect(afterSolution(cards, puzzle('a'), 100)).toEqual(cards);
  expect(afterSolution(cards, puzzle('b'), 101)).toEqual(cards);
  expect(afterSolution(cards, { ...puzzle('a'), kind: 'save' }, 101)).toEqual(cards);
});

test('the longest overdue card comes first', () => {
  let cards = afterMiss([], puzzle('new'), 102);
  cards = afterMiss(cards, puzzle('old'), 100);
  cards = afterMiss(cards, puzzle('later'), 103);
  expect(dueOn(cards, 103).map(({ position }) => position)).toEqual(['old', 'new']);
  expect(dueOn(cards, 100)).toEqual([]);
});

test('days change at local midnight', () => {
  const late = new Date(2026, 10, 23, 23, 59);
  const early = new Date(2026, 10, 24, 0, 1);
  expect(dayOf(early) - dayOf(late)).toBe(1);
  expect(dayOf(new Date(2026, 10, 24, 23, 59))).toBe(dayOf(early));
});

test('merging keeps the card that was seen last', () => {
  const ours = afterMiss(afterMiss([], puzzle('a'), 100), puzzle('b'), 105);
  const theirs = afterMiss(afterMiss(afterMiss([], puzzle('a'), 103), puzzle('b'), 101), puzzle('c'), 90);
  expect(dueDays(merged(ours, theirs))).toEqual([
    ['a', 104],
    ['b', 106],
    ['c', 91],
  ]);
});

test('a drills file can be read back, and errors of other files are reported', () => {
  const cards = afterMiss(afterMiss([], puzzle('a'), 100), { ...puzzle('b'), toMove: 'second' }, 105);
  expect(readDrills(drillText(cards))).toEqual(cards);
  expect(() => readDrills('{')).toThrow('not a drills file');
  expect(() => readDrills('null')).toThrow('not a drills file');
  expect(() => readDrills(drillText(cards).replace('"version": 1', '"version": 2'))).toThrow('version 2');
  for (const [good, bad] of [
    ['"win"', '"lose"'],
    ['"due": 106', '"due": -1'],
    ['"pause": 0', '"pause": 6'],
    ['"position": "a"', '"position": ""'],
  ] as const) {
    expect(drillText(cards)).toContain(good);
    expect(() => readDrills(drillText(cards).replace(good, bad)), bad).toThrow(/Card [12] of this file/);
  }
});
