import { expect, test } from 'vitest';
import type { GameSummary, Plan } from '../src/api/types';
import { depthOfTheDay, gameOfTheDay, seedOf } from '../src/practice/daily';
import { familiesOf, largest } from '../src/values/families';
import { familyOf } from '../src/words/games';
import { bytesText, canBeSolved, costText, timeText } from '../src/words/plans';
import { summary } from './made';

const names = (games: GameSummary[]) => games.map(({ about }) => about.game);

test('games are grouped by family, solved and small ones first', () => {
  const families = familiesOf(
    [
      summary('tactics:5x5', 100, false),
      summary('touchdown:4x4', 50, true),
      summary('touchdown:3x3', 5, true),
      summary('touchdown:8x6', '10727388287846917', false),
      summary('touchdown:5x5', 500, false),
    ],
    familyOf,
  );
  expect(families.map(({ name }) => name)).toEqual(['touchdown', 'tactics']);
  expect(names(families[0]!.solved)).toEqual(['touchdown:3x3', 'touchdown:4x4']);
  expect(names(families[0]!.unsolved)).toEqual(['touchdown:5x5', 'touchdown:8x6']);
  expect(largest(families[0]!.solved)?.about.game).toBe('touchdown:4x4');
  expect(largest([])).toBeUndefined();
});

test('the puzzle of the day follows from the date and the games', () => {
  const games = [
    summary('a:1', 1000, true),
    summary('b', 1000, true),
    summary('huge', 2e9, true),
    summary('unsolved', 5000, false),
  ];
  expect(gameOfTheDay(games)).toBe('a:1');
  expect(gameOfTheDay([summary('unsolved', 5000, false)])).toBeNull();
  expect(seedOf(new Date('2026-11-23T23:59:00Z'))).toBe(20261123);
  expect(seedOf(new Date('2026-11-24T01:00:00+02:00'))).toBe(20261123);
});

test('puzzles get deeper from Monday to Sunday, up to the deepest', () => {
  const monday = new Date('2026-11-23T12:00:00Z');
  const sunday = new Date('2026-11-29T12:00:00Z');
  expect([monday, sunday].map((day) => depthOfTheDay(day, [1, 3, 5, 7, 9, 11]))).toEqual([3, 9]);
  expect([monday, sunday].map((day) => depthOfTheDay(day, [1, 4, 6]))).toEqual([4, 6]);
  expect(depthOfTheDay(monday, [1])).toBeNull();
});

test('sizes and times have two digits', () => {
  expect([0, 999, 999.6, 1500, 9960, 216077415, 2611904953, '10727388287846917'].map(bytesText)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '1.5 kB',
    '10 kB',
    '216 MB',
    '2.6 GB',
    '11 PB',
  ]);
  expect([0.2, 1, 11.4, 80, 100, 4000, 9000, 256532].map(timeText)).toEqual([
    'less than a second',
    '1 second',
    '11 seconds',
    '80 seconds',
    '2 minutes',
    '67 minutes',
    '3 hours',
    '3 days',
  ]);
});

test('the cost of solving, and games that cannot be solved', () => {
  const plan: Plan = {
    game: 'g',
    positions: 5,
    method: 'graded',
    memory: 216e6,
    disk: 22e6,
    work: 0,
    seconds: 11.4,
    fits: true,
    advice: '',
    counts: [],
  };
  expect(costText(plan)).toBe(
    'Solving takes about 11 seconds, 216 MB of memory and 22 MB of disk with the command-line program.',
  );
  expect(costText({ ...plan, seconds: 0.2 })).toMatch(/^Solving takes less than a second, /);
  expect(costText({ ...plan, method: 'fill-outcomes' })).toMatch(/who wins, but not in how many turns\.$/);
  expect(costText({ ...plan, method: 'reachable', seconds: null })).toMatch(/only positions reachable/i);
  const tooLarge: Plan = { ...plan, method: 'search', fits: false };
  expect(costText(tooLarge)).toMatch(/needs at least 216 MB of memory/);
  expect(costText({ ...tooLarge, memory: 0 })).toMatch(/too large to solve/);
  expect([plan, tooLarge].map(canBeSolved)).toEqual([true, false]);
});
