// The animation of a turn: at each moment, the pieces that stand still, those in motion, and those off the board. The
// answer of `view` with a `turn` describes the motions, so no rules are needed here.

import type { Motion, Piece, View } from '../api/types';
import { EDGE, seenSide, SIZE, trayPlace, wayTo, type Layout } from './geometry';

/** A turn to animate: the view of the position before it, requested with `turn`. */
export interface ShownTurn {
  /** A new key starts a new animation. */
  key: unknown;
  turn: View;
  /** Steps that were shown already, such as those that the player made. */
  from?: number;
}

export type Pieces = Map<string, Piece | null>;

/** A piece in motion; `drawn` is the part of a pencil stroke that is drawn. */
export interface Moving {
  piece: Piece;
  x: number;
  y: number;
  scale: number;
  drawn: number;
  /** Whether only the anchor moves, not the piece. */
  anchor?: true;
}

export interface Frame {
  pieces: Pieces;
  moving: Moving[];
  offBoard: Piece[];
}

/** Durations in milliseconds: to the next square, plus some for longer ways; the anchor's hop; between two steps. */
const SLIDE = 150;
const SLIDE_SQUARE = 25;
const MAX_SLIDE = 250;
const FALL = 480;
const APPEAR = 240;
const HOP = 180;
const REST = 70;

const SMALL = 0.5;

interface Point {
  x: number;
  y: number;
}

interface Step {
  motions: Motion[];
  before: Frame;
  /** The square whose piece was dragged to its destination. */
  there: string | null;
  /** The times at which it begins, its pieces stop, and its anchor stops. */
  start: number;
  stand: number;
  end: number;
}

export const piecesOf = (view: View): Pieces =>
  new Map(view.squares.flatMap((square) => (square ? [[square.name, square.piece] as const] : [])));

/** The board after a step. */
export function played({ pieces, offBoard }: Frame, step: Motion[]): Frame {
  const [next, off] = [new Map(pieces), [...offBoard]];
  const landing: [string, Piece][] = [];
  for (const { kind, from, to, piece } of step) {
    if (kind === 'anchor') continue;
    const moved = kind === 'appear' ? piece : from === null ? null : pieces.get(from);
    if (from !== null) next.set(from, null);
    if (!moved) continue;
    if (to === null) off.push(moved);
    else landing.push([to, moved]);
  }
  for (const [to, piece] of landing) next.set(to, piece);
  for (const { kind, from, to } of step) {
    if (kind !== 'anchor') continue;
    for (const [name, anchored] of [[from, false] as const, [to, true] as const]) {
      const piece = name === null ? null : next.get(name);
      if (name !== null && piece) next.set(name, { ...piece, anchored });
    }
  }
  return { pieces: next, moving: [], offBoard: off };
}

/** Eases in and out. */
const eased = (t: number): number => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t));

const between = (a: number, b: number, t: number): number => a + (b - a) * t;

const share = (now: number, from: number, to: number): number =>
  to <= from ? 1 : Math.min(1, Math.max(0, (now - from) / (to - from)));

/** The point after a fraction of a polyline's length. */
function along(way: Point[], t: number): Point {
  const lengths = way.slice(1).map((to, at) => Math.hypot(to.x - way[at]!.x, to.y - way[at]!.y));
  let left = t * lengths.reduce((sum, length) => sum + length, 0);
  for (const [at, length] of lengths.entries()) {
    if (left <= length && length > 0)
      return {
        x: between(way[at]!.x, way[at + 1]!.x, left / length),
        y: between(way[at]!.y, way[at + 1]!.y, left / length),
      };
    left -= length;
  }
  return way.at(-1)!;
}

function durationOf(motion: Motion, there: string | null): number {
  if (motion.kind === 'slide' && motion.from === there) return 0;
  if (motion.kind === 'leave') return FALL;
  if (motion.kind === 'appear') return APPEAR;
  return Math.min(MAX_SLIDE, SLIDE + SLIDE_SQUARE * (motion.via.length + 1));
}

/** The animation of a turn; `frame` returns any moment of it. */
export class TurnShow {
  readonly duration: number;
  readonly end: Frame;
  private readonly steps: Step[] = [];

  /** The piece from the square `dragged` starts at its destination. */
  constructor({ turn, from = 0 }: ShownTurn, dragged: string | null = null) {
    let now: Frame = { pieces: piecesOf(turn), moving: [], offBoard: turn.off_board };
    let time = 0;
    for (const [number, motions] of turn.motions.entries()) {
      if (number >= from) {
        const pieces = motions.filter(({ kind }) => kind !== 'anchor');
        const there = number === from ? dragged : null;
        const stand = time + Math.max(0, ...pieces.map((motion) => durationOf(motion, there)));
        const end = stand + (pieces.length < motions.length ? HOP : 0);
        this.steps.push({ motions, before: now, there, start: time, stand, end });
        time = end + REST;
      }
      now = played(now, motions);
    }
    this.end = now;
    this.duration = Math.max(0, time - REST);
  }

  /** Whether a piece leaves the board. */
  get loses(): boolean {
    return this.steps.some(({ motions }) => motions.some(({ kind }) => kind === 'leave'));
  }

  frame(time: number, layout: Layout, turned: boolean): Frame {
    const step = this.steps.find(({ end }) => time < end + REST);
    if (!step || time >= this.duration) return this.end;
    const { before, motions, there, start, stand, end } = step;
    const after = played(before, motions);
    if (time >= end) return after;
    if (time >= stand) return this.hop(step, share(time, stand, end), layout);
    const going = motions.filter(({ kind }) => kind !== 'anchor');
    const pieces = new Map(before.pieces);
    for (const { from } of going) if (from !== null) pieces.set(from, null);
    let taken = 0;
    const moving = going.flatMap((motion, number) => {
      const index = motion.kind === 'leave' ? before.offBoard.length + taken++ : 0;
      const part = share(time, start, start + durationOf(motion, there));
      // Fills squares one after the other.
      const filled = going.filter(({ kind }) => kind === 'appear').length;
      const own = share(part * filled, number, number + 1);
      return movingOf(motion, before, motion.kind === 'appear' ? own : part, layout, turned, index);
    });
    return { pieces, moving, offBoard: before.offBoard };
  }

  /** The anchor's hop from one piece to another, after the pieces have stopped. */
  private hop({ before, motions }: Step, t: number, layout: Layout): Frame {
    const pieces = played(
      before,
      motions.filter(({ kind }) => kind !== 'anchor'),
    );
    const moving: Moving[] = [];
    for (const { kind, from, to } of motions) {
      const target = kind === 'anchor' && to !== null ? pieces.pieces.get(to) : null;
      const end = to === null ? undefined : layout.places.get(to);
      if (!target || !end) continue;
      const begin = (from !== null && layout.places.get(from)) || { x: end.x, y: end.y - SIZE };
      if (from !== null) {
        const had = pieces.pieces.get(from);
        if (had) pieces.pieces.set(from, { ...had, anchored: false });
      }
      const { x, y } = along([begin, end], eased(t));
      const piece = { ...target, anchored: true };
      moving.push({ piece, x, y: y - 34 * Math.sin(Math.PI * t), scale: 1, drawn: 1, anchor: true });
    }
    return { ...pieces, moving };
  }
}

/** The place of a piece after a fraction of its way. */
function movingOf(
  motion: Motion,
  { pieces, offBoard }: Frame,
  t: number,
  layout: Layout,
  turned: boolean,
  index: number,
): Moving[] {
  const at = (name: string | null) => (name === null ? undefined : layout.places.get(name));
  if (motion.kind === 'appear') {
    const [place, piece] = [at(motion.to), motion.piece];
    if (!place || !piece || t === 0) return [];
    const scale = piece.shape === 'cross' ? 1 : between(1.5, 1, eased(t));
    return [{ piece, x: place.x, y: place.y, scale, drawn: t }];
  }
  const piece = motion.from === null ? null : pieces.get(motion.from);
  const from = at(motion.from);
  if (!piece || !from) return [];
  if (motion.kind === 'leave') {
    const slot = offBoard.slice(0, index).filter(({ owner }) => owner === piece.owner).length;
    return [{ piece, ...fallen(from, trayPlace(layout, piece.owner, slot), motion, t, turned), drawn: 1 }];
  }
  const way = [from, ...motion.via.map(at), at(motion.to)].filter((place) => place !== undefined);
  return [{ piece, ...along(way, eased(t)), scale: 1, drawn: 1 }];
}

/** The way of a piece that leaves the board: over the edge, then into the tray, shrinking. */
function fallen(
  from: Point,
  lies: Point,
  { toward }: Motion,
  t: number,
  turned: boolean,
): Point & { scale: number } {
  const over = toward ? 0.5 : 0;
  const [dx, dy] = toward ? wayTo(seenSide(toward, turned)) : [0, 0];
  const edge = { x: from.x + dx * (SIZE / 2 + EDGE / 2), y: from.y + dy * (SIZE / 2 + EDGE / 2) };
  if (t < over) {
    const done = t / over;
    return { ...along([from, edge], eased(done)), scale: between(1, SMALL * 1.3, done * done) };
  }
  const done = (t - over) / (1 - over);
  const scale = between(toward ? SMALL * 1.3 : 1, SMALL, done);
  return { ...along([toward ? edge : from, lies], eased(done)), scale };
}
