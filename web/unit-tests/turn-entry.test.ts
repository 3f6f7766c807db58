import { expect, test } from 'vitest';
import { beginTurn, NO_ENTRY } from '../src/turn-entry/begin';
import { StepEntry } from '../src/turn-entry/step-entry';
import type { TurnEntry } from '../src/turn-entry/turn-entry';
import { piece, rowOf, step, view } from './made';

const [PUSHER, PAWN, OTHER] = [piece('pusher', 'O'), piece('pawn', 'o'), piece('pusher', 'X')];
const PALETTE = [PUSHER, PAWN, OTHER];

const open = (entry: TurnEntry) =>
  Object.fromEntries([...entry.candidates()].map(([at, c]) => [at, c.outcome]));

/** Touches squares that do not complete a step. */
function touched(entry: TurnEntry, ...squares: string[]): TurnEntry {
  return squares.reduce((entry, square) => {
    const touch = entry.touch(square);
    expect(touch.step).toBeNull();
    return touch.entry;
  }, entry);
}

const MOVES = new StepEntry([step('a1 a2', 'loss 4'), step('a1 b2', 'win 3'), step('c1 c2', 'draw')]);

test('a square shows the best value that it can lead to', () => {
  expect(open(MOVES)).toEqual({ a1: 'win', c1: 'draw' });
  expect(open(touched(MOVES, 'a1'))).toEqual({ a2: 'loss', b2: 'win' });
});

test('the last square of a step completes it', () => {
  expect(touched(MOVES, 'a1').touch('b2').step?.turn).toBe('a1-b2');
});

test('touching another piece picks it, the same piece drops it, and other squares do nothing', () => {
  const a1 = touched(MOVES, 'a1');
  expect(touched(a1, 'c1').picked).toEqual(['c1']);
  expect(touched(a1, 'a1').picked).toEqual([]);
  expect(touched(a1, 'h8').picked).toEqual([]);
});

test('a line is filled from either end, a single square by touching it twice', () => {
  const any_order = true;
  const fill = new StepEntry([step('a1', 'loss 2', { any_order }), step('a1 a3', 'win 1', { any_order })]);
  expect(Object.keys(open(fill))).toEqual(['a1', 'a3']);
  expect(fill.touch('a3').step).toBeNull();
  expect(touched(fill, 'a3').touch('a1').step?.turn).toBe('a1-a3');
  expect(touched(fill, 'a1').touch('a1').step?.turn).toBe('a1');
});

test('a step without squares, such as a pass, is offered by name, and no square leads to it', () => {
  const pass = step('pass', 'draw', { squares: [] });
  const entry = new StepEntry([step('a1 a2', 'loss 2'), pass]);
  expect(entry.squareless()).toEqual([pass]);
  expect(Object.keys(open(entry))).toEqual(['a1']);
  expect(entry.advice()).toBe('');
  expect(new StepEntry([pass]).advice()).toBe('The only turn is to pass.');
  expect(MOVES.squareless()).toEqual([]);
});

test('completed steps are shown on the board and are taken back one by one', () => {
  const [first, second] = [step('a1 b1', 'draw', { ends: false }), step('b1 c1', 'draw', { ends: false })];
  const entry = new StepEntry([step('c1 d1', 'draw')], [first, second]);
  const board = view('O...', PALETTE);
  expect(rowOf(entry.board(board))).toBe('..O.');
  expect(rowOf(board)).toBe('O...');
  expect(entry.takeBack()).toEqual({ begun: [first] });
  expect(touched(entry, 'c1').takeBack()).toEqual({ entry });
  expect(NO_ENTRY.takeBack()).toBeNull();
});

const START = view('....X', PALETTE, {
  to_place: [
    { piece: PUSHER, count: 2 },
    { piece: PAWN, count: 1 },
  ],
});
const PLACEMENTS = beginTurn(START, [
  step('a1 b1 c1', 'win 3'),
  step('a1 b1 d1', 'loss 2'),
  step('a1 c1 b1', 'draw'),
]);

test('pieces are placed kind by kind, only where a complete placement allows it', () => {
  expect(PLACEMENTS.advice()).toBe('Place 2 pushers: choose a square.');
  expect(open(PLACEMENTS)).toEqual({ a1: 'win', b1: 'win', c1: 'draw' });
  const one = touched(PLACEMENTS, 'b1');
  expect(one.advice()).toBe('Place 1 pusher: choose a square.');
  expect(open(one)).toEqual({ a1: 'win' });
  const two = touched(one, 'a1');
  expect(two.advice()).toBe('Place 1 pawn: choose a square.');
  expect(open(two)).toEqual({ c1: 'win', d1: 'loss' });
  expect(rowOf(two.board(START))).toBe('OO..X');
  const { entry, step: made } = two.touch('d1');
  expect(made?.turn).toBe('a1-b1 d1');
  expect(rowOf(entry.board(START))).toBe('OO.oX');
});

test('placed pieces are taken back: the last one, or one that is touched', () => {
  const two = touched(PLACEMENTS, 'a1', 'b1');
  expect(rowOf(touched(two, 'a1').board(START))).toBe('.O..X');
  const taken = two.takeBack();
  expect(taken && 'entry' in taken && rowOf(taken.entry.board(START))).toBe('O...X');
  expect(PLACEMENTS.takeBack()).toBeNull();
});
