import { expect, test } from 'vitest';
import {
  labelOf,
  put,
  railFits,
  readDrawing,
  resized,
  turnPlace,
  turnRail,
  withKey,
  writeDrawing,
  type Drawing,
} from '../src/guest/drawing';
import { SAMPLES } from '../src/guest/samples';

const RING = `name = ring
moves = 1
first = a1, a2
+-+-+-+
 . O .
+ + + +
|. # Y|
+ +-+ +
`;

/** Parses a text that must be valid. */
function read(text: string): Drawing {
  const drawing = readDrawing(text);
  if (!drawing) throw new Error(`not readable: ${text}`);
  return drawing;
}

test.each([RING, ...SAMPLES.map(({ text }) => text)])('a drawing is written as it was read', (text) => {
  expect(writeDrawing(read(text))).toBe(
    // The rail below a gap is not next to a square.
    text.replace('+ +-+ +\n', '+ + + +\n'),
  );
});

test.each([
  '',
  'name = x\n',
  'colour = red\n+ +\n .\n+ +\n',
  '+ + +\n . ?\n+ + +\n',
  '+ + +\n . .\n',
  `+${' +'.repeat(13)}\n${' .'.repeat(13)}\n+${' +'.repeat(13)}\n`,
])('what cannot be drawn here is left to the check: %j', (text) => {
  expect(readDrawing(text)).toBeNull();
});

test('removing a square removes its rails and opens its neighbours', () => {
  const drawing = read('+-+-+\n . .\n+-+-+\n');
  expect(railFits(drawing, 0, 0, 1)).toBe(false);
  const gone = put(drawing, 0, 1, '#');
  expect(writeDrawing(gone)).toBe('+-+ +\n . #\n+-+ +\n');
  const railed = turnRail(gone, 0, 0, 1);
  expect(writeDrawing(railed)).toBe('+-+ +\n .|#\n+-+ +\n');
  expect(writeDrawing(put(railed, 0, 1, '.'))).toBe('+-+ +\n . .\n+-+ +\n');
  expect(turnRail(drawing, 0, 0, 1)).toBe(drawing);
});

test('there is one anchor', () => {
  const drawing = put(read('+ + +\n . Y\n+ + +\n'), 0, 0, 'P');
  expect(drawing.rows[0]?.map(({ on }) => on)).toEqual(['P', 'X']);
});

test('a board that grows or shrinks keeps its ends', () => {
  const drawing = read('+-+-+\n . O|\n+ + +\n|. .|\n+-+-+\n');
  expect(writeDrawing(resized(drawing, 2, 3))).toBe('+-+-+-+\n . O .|\n+ + + +\n|. . .|\n+-+-+-+\n');
  expect(writeDrawing(resized(drawing, 3, 2))).toBe('+-+-+\n . O|\n+ + +\n|. .|\n+ + +\n|. .|\n+-+-+\n');
  expect(writeDrawing(resized(drawing, 1, 1))).toBe('+-+\n .|\n+-+\n');
});

test('keys before the drawing are added and removed', () => {
  const drawing = read('+ + +\n . .\n+ + +\n');
  expect(writeDrawing(withKey(drawing, 'moves', ' 1 '))).toBe('moves = 1\n+ + +\n . .\n+ + +\n');
  expect(withKey(withKey(drawing, 'moves', '1'), 'moves', ' ').keys).toEqual({});
  const placed = turnPlace(turnPlace(drawing, 'first', labelOf(drawing, 0, 0)), 'second', 'b1');
  expect(placed.keys).toEqual({ first: 'a1', second: 'b1' });
  // A square cannot belong to both.
  expect(turnPlace(placed, 'second', 'a1').keys).toEqual({ second: 'b1, a1' });
  expect(turnPlace(placed, 'first', 'a1').keys).toEqual({ second: 'b1' });
});
