import { expect, test } from 'vitest';
import type { Probe } from '../src/api/types';
import { shareOfBest } from '../src/practice/draw';
import { kindOf } from '../src/values/puzzles';
import { noPuzzleText, notThisText, praise, refutationText, taskText } from '../src/words/puzzles';
import { played, turn, verdict } from './made';

test('a task says what is asked of the side to move', () => {
  expect(taskText('win', verdict('win 5'), 'first')).toBe(
    'Red wins in 5 turns. Only one turn does it: which?',
  );
  expect(taskText('win', verdict('win'), 'second')).toBe('Blue wins. Only one turn does it: which?');
  expect(taskText('save', verdict('draw'), 'first')).toBe('Only one turn holds the draw for Red: which?');
  expect(taskText('save', verdict('loss 4'), 'first')).toBe(
    'Blue wins, but one turn holds out longest for Red: which?',
  );
  expect(taskText('press', verdict('draw'), 'first')).toBe(
    'A draw. Only one turn leaves Blue a single reply that holds: which?',
  );
  expect(taskText('place', verdict('draw'), 'second')).toBe(
    'Blue places the pieces to hold the draw: where?',
  );
  expect(taskText('place', verdict('win 5'), 'first')).toBe(
    'Red places the pieces to win in 5 turns: where?',
  );
});

test('a wrong turn is refuted by the reply, and the right one is not told', () => {
  const reply = (before: string) => played('d4d3', 'second', before, before);
  const wrong = (before: string, after: string) =>
    played('a1a2', 'first', before, after, { better: 'b1b2', better_on_board: 'b1b2' });
  const cases: [string, string, string | null, string][] = [
    ['win 5', 'loss 4', 'win 3', 'That turns a win into a loss: after d4d3 Blue wins in 3 turns.'],
    ['draw', 'loss 2', 'win 1', 'That gives the draw away: d4d3 wins at once.'],
    ['loss 8', 'loss 4', 'win 3', 'That loses sooner than need be: after d4d3 Blue wins in 3 turns.'],
    ['win 5', 'draw', 'draw', 'That lets the win slip: with d4d3 Blue holds the draw.'],
    ['win 5', 'loss 1', null, 'That turns a win into a loss: Blue wins.'],
    ['win 5', 'win 7', 'loss 6', 'That takes longer than need be.'],
  ];
  for (const [before, after, answer, text] of cases) {
    expect(refutationText('win', wrong(before, after), answer === null ? null : reply(answer))).toBe(text);
  }
  expect(refutationText('press', wrong('draw', 'draw'), null)).toBe(
    'It holds, and leaves Blue more than one way.',
  );
  expect(refutationText('press', wrong('draw', 'loss 2'), reply('win 1'))).toBe(
    'That gives the draw away: d4d3 wins at once.',
  );
});

test('where there is no puzzle, that is said in words, and of the kind', () => {
  expect(noPuzzleText('win', 9)).toBe('No puzzle was found in which one turn wins in 9 turns.');
  expect(noPuzzleText('save', 4)).toBe('No puzzle was found in which one turn holds out for 4 turns.');
  expect(noPuzzleText('save', null)).toMatch(/nothing to save/);
  expect(notThisText('win')).toMatch(/no puzzle/);
  expect(kindOf('place')).toBe('place');
  expect(kindOf('other')).toBeNull();
});

test('praise grows with the streak', () => {
  expect(new Set([1, 3, 5, 10].map(praise)).size).toBe(4);
  expect(praise(2)).toBe(praise(1));
});

test('the share of best turns says how hard a placement is to find', () => {
  const turns_available = [turn('a', 'draw'), turn('b', 'draw'), turn('c', 'loss 2'), turn('d', 'loss 1')];
  const probe = { turns_available, ...verdict('draw') } as Probe;
  expect(shareOfBest(probe)).toBe(0.5);
  expect(shareOfBest({ ...probe, page: { offset: 0, count: 40 } })).toBe(0.05);
  expect(shareOfBest({ ...probe, turns_available: [] })).toBe(1);
});
