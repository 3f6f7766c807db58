import { expect, test } from 'vitest';
import { api, useBackend } from '../src/api/api';
import type { Backend } from '../src/api/backend';
import type { Probe } from '../src/api/types';
import { dateOf } from '../src/practice/daily';
import { drawPuzzle, shareOfBest } from '../src/practice/draw';
import { difficulty, kindOf, ratingAfter, themesOf, type Kind } from '../src/values/puzzles';
import {
  dayText,
  noPuzzleText,
  notThisText,
  praise,
  refutationText,
  taskText,
  themeText,
} from '../src/words/puzzles';
import { played, turn, verdict } from './made';

test('a task tells the side to move what to find', () => {
  expect(taskText('win', verdict('win 5'), 'first')).toBe(
    'Red to play and win in 5 turns. Find the only winning turn.',
  );
  expect(taskText('win', verdict('win'), 'second')).toBe('Blue to play and win. Find the only winning turn.');
  expect(taskText('save', verdict('draw'), 'first')).toBe(
    'Red to play. Find the only turn that holds the draw.',
  );
  expect(taskText('save', verdict('loss 4'), 'first')).toBe(
    'Red is losing. Find the turn that holds out longest.',
  );
  expect(taskText('press', verdict('draw'), 'first')).toBe(
    'Drawn. Find the only turn that leaves Blue just one reply that holds the draw.',
  );
  expect(taskText('place', verdict('draw'), 'second')).toBe('Place Blue’s pieces to hold the draw.');
  expect(taskText('place', verdict('win 5'), 'first')).toBe('Place Red’s pieces to win in 5 turns.');
});

test('after some turns of a win, the task is about the rest', () => {
  const task = (made: number) => taskText('win', verdict('win 5'), 'second', made);
  expect(task(0)).toBe('Blue to play and win in 5 turns. Find the only winning turn.');
  expect(task(4)).toBe('Blue to play and win in 1 turn. Find a fastest win.');
  expect(task(5)).toBe('Blue has won in 5 turns.');
});

test('a day is a number, and only some numbers are days', () => {
  expect(dayText(dateOf(20261128)!)).toBe('Saturday, November 28');
  for (const seed of [undefined, 0, 5, 20261131, 1e15]) expect(dateOf(seed)).toBeNull();
});

test('the refutation of a wrong turn does not give the solution away', () => {
  const reply = (before: string) => played('d4d3', 'second', before, before);
  const wrong = (before: string, after: string) =>
    played('a1a2', 'first', before, after, { better: 'b1b2', better_on_board: 'b1b2' });
  const cases: [string, string, string | null, string][] = [
    ['win 5', 'loss 4', 'win 3', 'That turns a win into a loss: Blue wins in 3 turns with d4d3.'],
    ['draw', 'loss 2', 'win 1', 'That throws away the draw: d4d3 wins immediately.'],
    ['loss 8', 'loss 4', 'win 3', 'That loses faster than necessary: Blue wins in 3 turns with d4d3.'],
    ['win 5', 'draw', 'draw', 'That throws away the win: Blue holds the draw with d4d3.'],
    ['win 5', 'loss 1', null, 'That turns a win into a loss: Blue wins.'],
    ['win 5', 'win 7', 'loss 6', 'There is a faster win.'],
  ];
  for (const [before, after, answer, text] of cases) {
    expect(refutationText('win', wrong(before, after), answer === null ? null : reply(answer))).toBe(text);
  }
  expect(refutationText('press', wrong('draw', 'draw'), null)).toBe(
    'That holds the draw, but leaves Blue more than one good reply.',
  );
  expect(refutationText('press', wrong('draw', 'loss 2'), reply('win 1'))).toBe(
    'That throws away the draw: d4d3 wins immediately.',
  );
});

test('the message without a puzzle depends on the kind', () => {
  expect(noPuzzleText('win', 9)).toBe('No puzzle with a win in 9 turns was found.');
  expect(noPuzzleText('delay', 4)).toBe('No puzzle with a loss in 4 turns was found.');
  expect(noPuzzleText('save', null)).toMatch(/^No drawn position/);
  expect(notThisText('win')).toMatch(/not a puzzle/);
  expect(kindOf('place')).toBe('place');
  expect(kindOf('other')).toBeNull();
});

test('a search that a limit ended is not taken for a game without puzzles', async () => {
  const answers = (answer: object) =>
    useBackend({ get: () => Promise.resolve(answer) } as unknown as Backend);
  answers({ puzzles: [], positions: [], incomplete: true });
  await expect(drawPuzzle('touchdown', 'win', 7)).rejects.toThrow('time limit');
  await expect(api.find('touchdown', { outcome: 'win' })).rejects.toThrow('time limit');
  answers({ puzzles: [], positions: [] });
  expect(await drawPuzzle('touchdown', 'win', 7)).toBeNull();
});

test('praise grows with the streak', () => {
  expect(new Set([1, 3, 5, 10].map(praise)).size).toBe(4);
  expect(praise(2)).toBe(praise(1));
});

test('the share of best turns measures the difficulty of a placement', () => {
  const turns_available = [turn('a', 'draw'), turn('b', 'draw'), turn('c', 'loss 2'), turn('d', 'loss 1')];
  const probe = { turns_available, ...verdict('draw') } as Probe;
  expect(shareOfBest(probe)).toBe(0.5);
  expect(shareOfBest({ ...probe, page: { offset: 0, count: 40 } })).toBe(0.05);
  expect(shareOfBest({ ...probe, turns_available: [] })).toBe(1);
});

test('puzzles with more turns to find and to choose from are rated higher, and ratings follow', () => {
  expect(difficulty(verdict('win 5'), 20)).toBeGreaterThan(difficulty(verdict('win 3'), 20));
  expect(difficulty(verdict('win 5'), 40) - difficulty(verdict('win 5'), 20)).toBe(100);
  expect(ratingAfter(1200, 1200, true)).toBe(1220);
  expect(ratingAfter(1200, 1200, false)).toBe(1180);
  expect(ratingAfter(1200, 2000, true)).toBeGreaterThan(ratingAfter(1200, 800, true));
});

test('the themes of a puzzle are its kind and, if it ends, its depth', () => {
  const texts = (kind: Kind, value: string) =>
    themesOf(kind, verdict(value)).map(({ kind, depth }) => themeText(kind, depth));
  expect(texts('win', 'win 7')).toEqual(['Find the win', 'Win in 7']);
  expect(texts('win', 'win')).toEqual(['Find the win']);
  expect(texts('delay', 'loss 4')).toEqual(['Hold out longest', 'Loss in 4']);
  expect(texts('save', 'draw')).toEqual(['Hold the draw']);
  expect(texts('place', 'win 5')).toEqual(['Placements']);
});
