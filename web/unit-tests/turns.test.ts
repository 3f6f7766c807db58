import { expect, test } from 'vitest';
import { commentText, listedTurn, playedText, resultText, turnText, turnWords } from '../src/words/turns';
import { played, verdict } from './made';

test('the parts of a turn are split, and the last one is named if parts differ', () => {
  const parts = ['Move', 'Move', 'Push'];
  expect(turnWords('d1-a2,d3-c3,c2-d2', parts)).toEqual(['d1-a2', 'd3-c3', 'push c2-d2']);
  expect(turnWords('c2-d2', parts)).toEqual(['push c2-d2']);
  expect(turnWords('O:a2,b1 o:b2,c1', parts)).toEqual(['pushers a2 b1', 'pawns b2 c1']);
  expect(turnWords('b1b2', [])).toEqual(['b1b2']);
  expect(turnText('d1-a2,c2-d2', parts)).toBe('d1-a2, push c2-d2');
  expect(listedTurn('d1-a2,c2-d2')).toBe('d1-a2,c2-d2');
  expect(listedTurn('O:a2 o:b2,c1')).toBe('pusher a2, pawns b2 c1');
});

test('the value of a turn names Red or Blue', () => {
  expect(resultText(verdict('win 3'), 'first')).toBe('Red wins in 3');
  expect(resultText(verdict('loss 2'), 'first')).toBe('Blue wins in 2');
  expect(resultText(verdict('win'), 'second')).toBe('Blue wins');
  expect(resultText(verdict('draw'), 'second')).toBe('draw');
  expect(resultText(verdict('unknown'), 'second')).toBe('unknown');
});

test('a pass is a verb in reports and a noun in sentences', () => {
  expect(playedText('b1b2', 'first')).toBe('Red played b1b2');
  expect(playedText('pass', 'second')).toBe('Blue passed');
  expect(playedText('b1b2', 'first', true)).toBe('Red could play b1b2');
  expect(playedText('pass', 'first', true)).toBe('Red could pass');
  expect(turnText('pass', [])).toBe('a pass');
});

test('a comment has the better turn in words', () => {
  const parts = ['Move', 'Move', 'Push'];
  const text = (better: string | null, comment: string) =>
    commentText(played('c1-c2', 'first', 'win 3', 'draw', { comment, better_on_board: better }), parts);
  const thrown = 'Red threw the win away: the game is now a draw.';
  for (const [better, words] of [
    ['d1-a2,c2-d2', 'd1-a2, push c2-d2'],
    ['c2-d2', 'Push c2-d2'],
    ['O:a2,b1 o:b2', 'Pushers a2 b1, pawn b2'],
    ['pass', 'A pass'],
  ] as const)
    expect(text(better, `${thrown} ${better} was better.`)).toBe(`${thrown} ${words} was better.`);
  // A turn may look like a word of the comment.
  expect(text('win', `${thrown} win was better.`)).toBe(`${thrown} Push win was better.`);
  expect(text('c2-d2', thrown)).toBe(thrown);
  expect(text(null, thrown)).toBe(thrown);
});
