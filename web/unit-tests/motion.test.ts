// The animation of a turn at each moment: moving and standing pieces, the end, also on a rotated board.

import { describe, expect, test } from 'vitest';
import type { Motion, View } from '../src/api/types';
import { layoutOf, trayPlace } from '../src/board/geometry';
import { piecesOf, played, TurnShow } from '../src/board/motion';
import { piece, view } from './made';

const RED = piece('pusher', 'O');
const PAWN = piece('pawn', 'o');
const BLUE = piece('pusher', 'X', { anchored: true, letter: 'Y' });
const VICTIM = piece('pawn', 'x');
const PALETTE = [RED, PAWN, BLUE, VICTIM];

const motion = (kind: Motion['kind'], more: Partial<Motion>): Motion => ({
  kind,
  from: null,
  via: [],
  to: null,
  toward: null,
  piece: null,
  ...more,
});
const slide = (from: string, to: string, via: string[] = []) => motion('slide', { from, to, via });

/** The letters on the board, without moving pieces. */
const letters = (pieces: ReturnType<typeof piecesOf>): string =>
  [...pieces.values()].map((piece) => piece?.letter ?? '.').join('');

const push: View = view('YO.oOx', PALETTE, {
  motions: [
    [slide('b1', 'c1')],
    [
      slide('e1', 'f1'),
      motion('leave', { from: 'f1', toward: 'right' }),
      motion('anchor', { from: 'a1', to: 'f1' }),
    ],
  ],
});
const layout = layoutOf(push, false, true);

describe('a turn of two steps', () => {
  const show = new TurnShow({ key: 1, turn: push });

  test('begins as the view and ends with the row pushed, the piece off the board, the anchor moved', () => {
    expect(letters(show.frame(0, layout, false).pieces)).toBe('Y..oOx');
    expect(show.frame(0, layout, false).moving).toMatchObject([{ piece: RED, x: 24 + 1.5 * 60 }]);
    const end = show.frame(show.duration, layout, false);
    expect([...end.pieces].map(([, piece]) => piece && [piece.owner, piece.anchored])).toEqual([
      ['second', false],
      null,
      ['first', false],
      ['first', false],
      null,
      ['first', true],
    ]);
    expect(end.offBoard).toEqual([VICTIM]);
    expect(end.moving).toEqual([]);
    expect(show.loses).toBe(true);
    expect(show.duration).toBeLessThan(1200);
  });

  test('moves a row together, and its last piece over the edge into the tray', () => {
    const start = 150 + 25 + 70;
    const half = show.frame(start + 60, layout, false);
    expect(letters(half.pieces)).toBe('Y.Oo..');
    expect(half.moving).toHaveLength(2);
    const [pusher, fallen] = half.moving;
    expect(pusher!.x).toBeGreaterThan(24 + 4.5 * 60);
    expect(pusher!.x).toBeLessThan(24 + 5.5 * 60);
    expect(fallen!.x).toBeGreaterThan(24 + 5.5 * 60);
    const late = show.frame(start + 479, layout, false).moving.find(({ piece }) => piece === VICTIM)!;
    const lies = trayPlace(layout, 'second', 0);
    expect(Math.hypot(late.x - lies.x, late.y - lies.y)).toBeLessThan(2);
    expect(late.scale).toBeCloseTo(0.5, 1);
  });

  test('every moment stays on the picture', () => {
    for (const turned of [false, true]) {
      const seen = layoutOf(push, turned, true);
      for (let time = 0; time < show.duration; time += 10) {
        for (const { x, y } of show.frame(time, seen, turned).moving) {
          expect(x, `${time}`).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(seen.width);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(seen.height);
        }
      }
    }
  });

  test('skips steps that were shown or dragged', () => {
    const rest = new TurnShow({ key: 1, turn: push, from: 1 });
    expect(letters(rest.frame(0, layout, false).pieces)).toBe('Y.Oo..');
    const dragged = new TurnShow({ key: 1, turn: push }, 'b1');
    expect(dragged.duration).toBe(show.duration - 175);
    expect(dragged.end).toEqual(show.end);
  });
});

test('a bent way passes over its squares', () => {
  const bent = view('O....', PALETTE, { motions: [[slide('a1', 'e1', ['b1', 'c1', 'd1'])]] });
  const show = new TurnShow({ key: 1, turn: bent });
  const [middle] = show.frame(show.duration / 2, layoutOf(bent, false, false), false).moving;
  expect(middle!.x).toBeCloseTo(24 + 2.5 * 60);
});

test('squares are filled one after the other', () => {
  const cross = piece('stroke', 'o', { shape: 'cross', owner: null, letter: '#' });
  const appear = (to: string) => motion('appear', { to, piece: cross });
  const line = view('...', [cross], { motions: [[appear('a1'), appear('b1')]] });
  const show = new TurnShow({ key: 1, turn: line });
  const early = show.frame(60, layoutOf(line, false, false), false);
  expect(early.moving.map(({ drawn }) => drawn)).toEqual([0.5]);
  const late = show.frame(180, layoutOf(line, false, false), false);
  expect(late.moving.map(({ drawn }) => drawn)).toEqual([1, 0.5]);
  expect(letters(show.end.pieces)).toBe('##.');
});

test('a captured piece is next to the board', () => {
  const before = { pieces: piecesOf(view('Ox', PALETTE)), moving: [], offBoard: [] };
  const after = played(before, [motion('leave', { from: 'b1' }), slide('a1', 'b1')]);
  expect(letters(after.pieces)).toBe('.O');
  expect(after.offBoard).toEqual([VICTIM]);
});

test('a board has one outline, bars of rails, and arrows where pieces can fall', () => {
  const railed = view('.. ..', [], {
    rails: [
      { square: 'a1', side: 'top' },
      { square: 'b1', side: 'top' },
      { square: 'd1', side: 'bottom' },
    ],
  });
  const { outline, rails, falls } = layoutOf(railed, false, false);
  expect(outline.match(/M/g)).toHaveLength(2);
  expect(rails.match(/M/g)).toHaveLength(2);
  expect(rails).toContain('h118');
  // Ten sides are at the edge and two at the hole; three have a rail.
  expect(falls.match(/M/g)).toHaveLength(12 - 3);
  expect(layoutOf(view('..', []), false, false).falls).toBe('');
});
