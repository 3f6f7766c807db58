import { expect, test } from 'vitest';
import {
  boardText,
  emptied,
  moverByAnchor,
  rotated,
  swapped,
  withMoved,
  withPiece,
  withText,
} from '../src/values/boards';
import { piece, rowOf, view } from './made';

const PALETTE = [
  piece('pusher', 'O'),
  piece('pusher', 'P', { owner: 'first', anchored: true }),
  piece('pusher', 'X'),
  piece('pusher', 'Y', { anchored: true }),
];
const [PUSHER, ANCHORED, , OTHER_ANCHORED] = PALETTE;
const board = (row: string) => view(row, PALETTE).squares;
const row = (squares: ReturnType<typeof board>) => rowOf({ squares });

test('a board is written row by row, without gaps', () => {
  expect(boardText(board('O.X  Y'), 3)).toBe('O.X/Y');
});

test('a board is read from its text, and from no other', () => {
  const read = (text: string) => withText(board('O.X  Y'), text, PALETTE);
  expect(row(read('.PX/O')!)).toBe('.PX  O');
  expect(row(read(' ..X\nO')!)).toBe('..X  O');
  for (const text of ['', '...', '..../.', '..z/.']) expect(read(text)).toBeNull();
});

test('a piece is put on a square, and taken off by the same piece', () => {
  expect(row(withPiece(board('..X'), 'a1', PUSHER!, PALETTE))).toBe('O.X');
  expect(row(withPiece(board('O.X'), 'a1', PUSHER!, PALETTE))).toBe('..X');
  expect(row(withPiece(board('O.X'), 'c1', null, PALETTE))).toBe('O..');
});

test('a piece that is moved keeps its anchor, and replaces the piece on its new square', () => {
  expect(row(withMoved(board('P.X'), 'a1', 'b1'))).toBe('.PX');
  expect(row(withMoved(board('P.X'), 'a1', 'c1'))).toBe('..P');
});

test('there is one anchor, and its owner has just moved', () => {
  expect(row(withPiece(board('P.X'), 'c1', OTHER_ANCHORED!, PALETTE))).toBe('O.Y');
  expect(row(withPiece(board('.Y.'), 'a1', ANCHORED!, PALETTE))).toBe('PX.');
  expect(moverByAnchor(board('P.X'))).toBe('second');
  expect(moverByAnchor(board('O.X'))).toBeNull();
});

test('colours are swapped, boards turned and emptied', () => {
  expect(row(swapped(board('OP.X'), PALETTE))).toBe('XY.O');
  expect(row(rotated(board('O.X'))!)).toBe('X.O');
  expect(rotated(board('O. '))).toBeNull();
  expect(row(emptied(board('OX .')))).toBe('.. .');
});
