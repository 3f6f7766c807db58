// The geometry of a board: squares, coordinates, outline, rails, and edges where pieces can fall. A square is 60 units
// wide, as in the command line's pictures.

import type { View } from '../api/types';

export const SIZE = 60;
/** The margin for rails and coordinates, small enough that eight columns have squares of 44 pixels on a narrow phone.
 * The bottom margin is larger, for letters below a rail. */
export const EDGE = 24;
const BELOW = 6;
/** The height of the tray below the board for pieces that have left it. */
export const TRAY = 34;

export type Side = View['rails'][number]['side'];

export interface Place {
  name: string;
  /** The centre of the square. */
  x: number;
  y: number;
  dark: boolean;
}

export interface Layout {
  width: number;
  height: number;
  /** The squares in display order, row by row. */
  rows: Place[][];
  places: Map<string, Place>;
  /** The outline of all squares, as a path to fill and stroke. */
  outline: string;
  /** The rails as a path; adjoining rails form one bar. */
  rails: string;
  /** Small outward arrows at the edges where pieces can fall, as a path. */
  falls: string;
  columns: [label: string, x: number][];
  numbers: [label: string, y: number][];
}

const OPPOSITE = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' } as const;
const WAYS = { top: [0, -1], right: [1, 0], bottom: [0, 1], left: [-1, 0] } as const;
const SIDES = ['top', 'right', 'bottom', 'left'] as const;

/** The visible side, on a board that may be rotated by half a turn. */
export const seenSide = (side: Side, turned: boolean): Side => (turned ? OPPOSITE[side] : side);

/** The direction of a side, in columns and rows. */
export const wayTo = (side: Side): readonly [number, number] => WAYS[side];

const middle = (at: number): number => EDGE + (at + 0.5) * SIZE;

/** Groups consecutive numbers into half-open ranges. */
function runs(numbers: number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const run = found.at(-1);
    if (run && run[1] === number) run[1]++;
    else found.push([number, number + 1]);
  }
  return found;
}

/** The columns and rows of the grid that have squares, in display order. */
class Grid {
  private readonly names: (string | null)[][];
  /** 1 if the square in the corner is dark; a rotated board keeps the tones of its squares. */
  private readonly shift: number;

  constructor(view: View, turned: boolean) {
    const names = Array.from({ length: view.rows }, (_, row) =>
      Array.from({ length: view.columns }, (_, column) => {
        return view.squares[row * view.columns + column]?.name ?? null;
      }),
    );
    this.shift = turned ? (view.columns + view.rows) % 2 : 0;
    this.names = turned ? names.map((row) => row.toReversed()).toReversed() : names;
  }

  name(column: number, row: number): string | null {
    return this.names[row]?.[column] ?? null;
  }

  rows(): Place[][] {
    const place = (name: string | null, column: number, row: number): Place[] =>
      name === null
        ? []
        : [{ name, x: middle(column), y: middle(row), dark: (row + column + this.shift) % 2 === 1 }];
    return this.names
      .map((names, row) => names.flatMap((name, column) => place(name, column, row)))
      .filter((places) => places.length > 0);
  }

  /** The outline, one run of squares at a time. */
  outline(): string {
    let path = '';
    this.names.forEach((names, row) => {
      names.forEach((name, column) => {
        if (name === null || this.name(column - 1, row) !== null) return;
        let end = column + 1;
        while (this.name(end, row) !== null) end++;
        path += `M${EDGE + column * SIZE} ${EDGE + row * SIZE}h${(end - column) * SIZE}v${SIZE}h${(column - end) * SIZE}z`;
      });
    });
    return path;
  }

  /** Rails as bars just outside of the squares; adjoining rails form one bar. */
  rails(railed: Set<string>): string {
    const bars = new Map<string, number[]>();
    this.names.forEach((names, row) => {
      names.forEach((name, column) => {
        for (const side of SIDES) {
          if (name === null || !railed.has(`${name} ${side}`)) continue;
          const across = side === 'top' || side === 'bottom';
          const key = `${side} ${across ? row : column}`;
          bars.set(key, [...(bars.get(key) ?? []), across ? column : row]);
        }
      });
    });
    let path = '';
    for (const [key, at] of bars) {
      const [side, line] = key.split(' ') as [Side, string];
      const far = side === 'bottom' || side === 'right';
      const beside = EDGE + (Number(line) + (far ? 1 : 0)) * SIZE + (far ? 5.5 : -5.5);
      for (const [start, end] of runs(at)) {
        const [from, length] = [EDGE + start * SIZE + 1, (end - start) * SIZE - 2];
        path +=
          side === 'top' || side === 'bottom'
            ? `M${from} ${beside}h${length}`
            : `M${beside} ${from}v${length}`;
      }
    }
    return path;
  }

  /** Small arrows at edges without a rail, where pieces can fall; only on boards that have rails. */
  falls(railed: Set<string>): string {
    if (railed.size === 0) return '';
    let path = '';
    this.names.forEach((names, row) => {
      names.forEach((name, column) => {
        for (const side of SIDES) {
          const [dx, dy] = wayTo(side);
          if (name === null || this.name(column + dx, row + dy) !== null || railed.has(`${name} ${side}`))
            continue;
          const [x, y] = [middle(column) + dx * (SIZE / 2 + 10), middle(row) + dy * (SIZE / 2 + 10)];
          path += `M${x - 4 * dx - 9 * dy} ${y - 4 * dy - 9 * dx}L${x} ${y}L${x - 4 * dx + 9 * dy} ${y - 4 * dy + 9 * dx}`;
        }
      });
    });
    return path;
  }
}

/** The distinct labels of places, with their coordinates. */
function labels(places: Place[], labelOf: (place: Place) => [string, number]): [string, number][] {
  return [...new Map(places.map(labelOf))];
}

export function layoutOf(view: View, turned: boolean, tray: boolean): Layout {
  const grid = new Grid(view, turned);
  const rows = grid.rows();
  const all = rows.flat();
  const railed = new Set(view.rails.map(({ square, side }) => `${square} ${seenSide(side, turned)}`));
  return {
    width: view.columns * SIZE + 2 * EDGE,
    height: view.rows * SIZE + 2 * EDGE + BELOW + (tray ? TRAY : 0),
    rows,
    places: new Map(all.map((place) => [place.name, place])),
    outline: grid.outline(),
    rails: grid.rails(railed),
    falls: grid.falls(railed),
    columns: labels(all, ({ name, x }) => [name.replace(/\d+/, ''), x]),
    numbers: labels(all, ({ name, y }) => [name.replace(/[a-z]+/, ''), y]),
  };
}

/** The directions of steps between squares, in degrees clockwise from the right, without duplicates. */
export function waysOf(
  { places }: Layout,
  steps: readonly (readonly [from: string, to: string])[],
): number[] {
  const ways = steps.flatMap(([one, other]) => {
    const [from, to] = [places.get(one), places.get(other)];
    return from && to ? [(Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI] : [];
  });
  return [...new Set(ways)];
}

/** The tray position of a piece: the first player's pieces are on the left, the second player's on the right. */
export function trayPlace(layout: Layout, owner: string | null, index: number): { x: number; y: number } {
  const y = layout.height - TRAY / 2 - 2;
  const inward = EDGE + 16 + index * 30;
  return { x: owner === 'second' ? layout.width - inward : inward, y };
}
