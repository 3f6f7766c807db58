// The arrows of a turn, with the same shapes as in the command line's pictures: thin and bent for a move, which may go
// around corners; bold and straight for a push or a capture.

import type { Mark } from '../api/types';
import { SIZE, type Layout } from './geometry';

export interface Arrow {
  kind: Mark['kind'];
  shaft: string;
  head: string;
}

interface Point {
  x: number;
  y: number;
}

/** An arrow along an arc that deviates from the straight line by `bend` of its length and ends `short` of its target. */
function arrow(kind: Mark['kind'], from: Point, to: Point, short: number): Arrow {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const bend = kind === 'move' && Math.hypot(dx, dy) > 1.5 * SIZE ? 0.16 : 0;
  const control = { x: (from.x + to.x) / 2 + dy * bend * 2, y: (from.y + to.y) / 2 - dx * bend * 2 };
  const [cx, cy] = [to.x - control.x, to.y - control.y];
  const length = Math.hypot(cx, cy) || 1;
  const [ux, uy] = [cx / length, cy / length];
  const size = kind === 'push' ? 23 : 15;
  const back = (distance: number, aside: number): string =>
    [to.x - ux * (short + distance) - uy * aside, to.y - uy * (short + distance) + ux * aside]
      .map((at) => at.toFixed(1))
      .join(' ');
  const end = back(size * 0.8, 0);
  const curve = bend === 0 ? `L${end}` : `Q${control.x.toFixed(1)} ${control.y.toFixed(1)} ${end}`;
  return {
    kind,
    shaft: `M${from.x} ${from.y}${curve}`,
    head: `M${back(0, 0)}L${back(size, -size * 0.55)}L${back(size, size * 0.55)}z`,
  };
}

/** The arrows of marks, moves before pushes. */
export function arrowsOf(marks: Mark[], layout: Layout, short = 0): Arrow[] {
  const ofKind = (kind: Mark['kind']) =>
    marks.flatMap((mark) => {
      const [from, to] = mark.squares.map((name) => layout.places.get(name));
      return mark.kind === kind && from && to && from !== to ? [arrow(kind, from, to, short)] : [];
    });
  return [...ofKind('move'), ...ofKind('push')];
}

/** The squares of some marks. */
export const squaresOf = (marks: Mark[]): Set<string> => new Set(marks.flatMap(({ squares }) => squares));
