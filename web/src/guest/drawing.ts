// The drawing of a `.board` file (docs/generalised-push-fight.md): squares, rails, pieces, and the `key = value` lines
// before them. Changes return a new drawing, always one that can be written: rails are between a square and empty
// space. The module checks the text to decide whether the board is playable.

/** The known keys, in the order in which they are written. */
export const KEYS = ['name', 'pushers', 'pawns', 'moves', 'first', 'second'] as const;
export type Key = (typeof KEYS)[number];

/** Above, right, below, left. */
export type Side = 0 | 1 | 2 | 3;
export const SIDES: readonly Side[] = [0, 1, 2, 3];
const STEPS = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
] as const;

export interface Cell {
  /** `#` for no square, `.` for an empty square, else the letter of a piece. */
  readonly on: string;
  /** The sides with a rail. */
  readonly rails: readonly boolean[];
}

export interface Drawing {
  readonly keys: Readonly<Partial<Record<Key, string>>>;
  /** Row by row from the top. */
  readonly rows: readonly (readonly Cell[])[];
}

/** The largest size to draw; larger boards cannot be solved anyway. */
export const MAX_SIDE = 12;

const NO_RAILS = [false, false, false, false];
const GAP: Cell = { on: '#', rails: NO_RAILS };

const isSquare = (cell: Cell | undefined): boolean => cell !== undefined && cell.on !== '#';

const cellAt = ({ rows }: Drawing, row: number, column: number): Cell | undefined => rows[row]?.[column];

/** Whether a side of a cell can have a rail: the cell is a square, and there is none across the side. */
export function railFits(drawing: Drawing, row: number, column: number, side: Side): boolean {
  const [down, right] = STEPS[side];
  return isSquare(cellAt(drawing, row, column)) && !isSquare(cellAt(drawing, row + down, column + right));
}

/** Removes rails where there cannot be any. */
function sound(drawing: Drawing): Drawing {
  const rails = (row: number, column: number, cell: Cell) =>
    SIDES.map((side) => cell.rails[side] === true && railFits(drawing, row, column, side));
  return {
    ...drawing,
    rows: drawing.rows.map((cells, row) =>
      cells.map((cell, column) => ({ ...cell, rails: rails(row, column, cell) })),
    ),
  };
}

function withCell(drawing: Drawing, row: number, column: number, change: (cell: Cell) => Cell): Drawing {
  const rows = drawing.rows.map((cells, r) =>
    r === row ? cells.map((cell, c) => (c === column ? change(cell) : cell)) : cells,
  );
  return sound({ ...drawing, rows });
}

/** Puts `#`, `.` or a piece on a cell. There is only one anchor. */
export function put(drawing: Drawing, row: number, column: number, on: string): Drawing {
  const anchored = on === 'P' || on === 'Y';
  const freed = anchored
    ? {
        ...drawing,
        rows: drawing.rows.map((cells) =>
          cells.map((cell) => {
            const plain = { P: 'O', Y: 'X' }[cell.on];
            return plain ? { ...cell, on: plain } : cell;
          }),
        ),
      }
    : drawing;
  return withCell(freed, row, column, (cell) => ({ ...cell, on }));
}

export function turnRail(drawing: Drawing, row: number, column: number, side: Side): Drawing {
  if (!railFits(drawing, row, column, side)) return drawing;
  return withCell(drawing, row, column, (cell) => ({
    ...cell,
    rails: cell.rails.map((rail, at) => (at === side ? !rail : rail)),
  }));
}

/** Sets a key; an empty value removes it. */
export function withKey(drawing: Drawing, key: Key, value: string): Drawing {
  const keys = { ...drawing.keys };
  if (value.trim() === '') delete keys[key];
  else keys[key] = value.trim();
  return { ...drawing, keys };
}

/** Resizes the board by removing its last rows and columns, or repeating them without their pieces. */
export function resized(drawing: Drawing, rows: number, columns: number): Drawing {
  const old = { rows: drawing.rows.length, columns: drawing.rows[0]?.length ?? 0 };
  const made = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column): Cell => {
      const known = cellAt(drawing, row, column);
      const near = cellAt(drawing, Math.min(row, old.rows - 1), Math.min(column, old.columns - 1)) ?? GAP;
      // The bottom and right rails move to the new edges.
      const below =
        row === rows - 1 ? cellAt(drawing, old.rows - 1, Math.min(column, old.columns - 1)) : near;
      const right =
        column === columns - 1 ? cellAt(drawing, Math.min(row, old.rows - 1), old.columns - 1) : near;
      const rails = [near.rails[0], right?.rails[1], below?.rails[2], near.rails[3]].map(
        (rail) => rail === true,
      );
      return { on: known?.on ?? (near.on === '#' ? '#' : '.'), rails };
    }),
  );
  return sound({ ...drawing, rows: made });
}

/** The name of a square: a letter for the column, a number for the row, from the bottom. */
export const labelOf = (drawing: Drawing, row: number, column: number): string =>
  `${String.fromCharCode(97 + column)}${drawing.rows.length - row}`;

/** Parses a text; null if it cannot be drawn. The module reports the errors. */
export function readDrawing(text: string): Drawing | null {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const first = lines.findIndex((line) => line.startsWith('+'));
  if (first < 0) return null;
  const keys: Partial<Record<Key, string>> = {};
  for (const line of lines.slice(0, first)) {
    const [key = '', value] = line.split(/=(.*)/s, 2).map((part) => part.trim());
    if (key === '' && value === undefined) continue;
    const known = KEYS.find((other) => other === key);
    if (!known || value === undefined) return null;
    keys[known] = value;
  }
  const grid = lines.slice(first).map((line) => line.trimEnd());
  while (grid.at(-1) === '') grid.pop();
  const [rows, columns] = [(grid.length - 1) / 2, ((grid[0]?.length ?? 0) - 1) / 2];
  if (!Number.isInteger(rows) || !Number.isInteger(columns) || rows < 1 || columns < 1) return null;
  if (rows > MAX_SIDE || columns > MAX_SIDE) return null;
  const at = (line: number, column: number): string => grid[line]?.[column] ?? ' ';
  const made: Cell[][] = [];
  for (let row = 0; row < rows; row++) {
    const cells: Cell[] = [];
    for (let column = 0; column < columns; column++) {
      const [line, place] = [2 * row + 1, 2 * column + 1];
      const on = at(line, place);
      if (!'#.oOxXYP'.includes(on)) return null;
      const rails = STEPS.map(([down, right]) => at(line + down, place + right) !== ' ');
      cells.push({ on, rails });
    }
    made.push(cells);
  }
  return sound({ keys, rows: made });
}

/** The text of a file. */
export function writeDrawing(drawing: Drawing): string {
  const [rows, columns] = [drawing.rows.length, drawing.rows[0]?.length ?? 0];
  const lines = Array.from({ length: 2 * rows + 1 }, (_, line) =>
    Array.from({ length: 2 * columns + 1 }, (_, column): string =>
      line % 2 === 0 && column % 2 === 0 ? '+' : ' ',
    ),
  );
  drawing.rows.forEach((cells, row) =>
    cells.forEach(({ on, rails }, column) => {
      lines[2 * row + 1]![2 * column + 1] = on;
      SIDES.filter((side) => rails[side]).forEach((side) => {
        const [down, right] = STEPS[side];
        lines[2 * row + 1 + down]![2 * column + 1 + right] = side % 2 === 0 ? '-' : '|';
      });
    }),
  );
  const keys = KEYS.filter((key) => drawing.keys[key] !== undefined).map(
    (key) => `${key} = ${drawing.keys[key]}`,
  );
  return [...keys, ...lines.map((line) => line.join('').trimEnd()), ''].join('\n');
}

/** The squares that the key `first` or `second` names. */
export const namedSquares = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Adds a square to the key `first` or `second`, or removes it. A square is never in both. */
export function turnPlace(drawing: Drawing, key: 'first' | 'second', name: string): Drawing {
  const other = key === 'first' ? 'second' : 'first';
  const own = namedSquares(drawing.keys[key]);
  const names = own.includes(name) ? own.filter((known) => known !== name) : [...own, name];
  const rest = namedSquares(drawing.keys[other]).filter((known) => known !== name);
  return withKey(withKey(drawing, key, names.join(', ')), other, rest.join(', '));
}
