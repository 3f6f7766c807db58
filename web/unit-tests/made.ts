// Small answers for tests.

import type { GameSummary, Piece, PlayedTurn, StepValue, TurnValue, Verdict, View } from '../src/api/types';

/** "win 3", "loss", "draw". */
export function verdict(text: string): Verdict {
  const [outcome, turns] = text.split(' ');
  return { outcome: outcome as Verdict['outcome'], turns: turns === undefined ? null : Number(turns) };
}

export function turn(text: string, value: string): TurnValue {
  return { turn: text, turn_on_board: text, position: `after ${text}`, ...verdict(value) };
}

/** A step that ends its turn; `text` lists its squares: "a1 a2". */
export function step(squares: string, value: string, more: Partial<StepValue> = {}): StepValue {
  const text = squares.replace(' ', '-');
  return {
    step: text,
    kind: 'step',
    ends: true,
    squares: squares.split(' '),
    any_order: false,
    ...turn(text, value),
    ...more,
  };
}

export const piece = (name: string, letter: string, more: Partial<Piece> = {}): Piece => ({
  name,
  shape: name === 'pusher' ? 'square' : 'round',
  owner: letter < 'P' || letter === 'o' ? 'first' : 'second',
  anchored: false,
  letter,
  ...more,
});

/** A board of one row: a letter is a piece of the palette, "." an empty square, " " a gap. */
export function view(row: string, palette: Piece[], more: Partial<View> = {}): View {
  const squares = [...row].map((letter, column) =>
    letter === ' '
      ? null
      : {
          name: `${String.fromCharCode(97 + column)}1`,
          piece: palette.find((piece) => piece.letter === letter) ?? null,
        },
  );
  return {
    game: 'made',
    position: row,
    to_move: 'first',
    over: null,
    columns: row.length,
    rows: 1,
    squares,
    rails: [],
    off_board: [],
    marks: [],
    motions: [],
    turn_on_board: null,
    palette,
    to_place: [],
    ...more,
  };
}

export const rowOf = ({ squares }: Pick<View, 'squares'>): string =>
  squares.map((square) => (square ? (square.piece?.letter ?? '.') : ' ')).join('');

export function played(
  text: string,
  player: PlayedTurn['player'],
  before: string,
  after: string,
  more: Partial<PlayedTurn> = {},
): PlayedTurn {
  return {
    turn: text,
    turn_on_board: text,
    player,
    position: `after ${text}`,
    before: verdict(before),
    after: verdict(after),
    mark: '',
    better: null,
    better_on_board: null,
    better_value: null,
    comment: '',
    ...more,
  };
}

/** The summary of a game. */
export function summary(game: string, positions: number | string, table: boolean): GameSummary {
  const about = { game, summary: '', positions, indices: null, start: '.', numberings: [] };
  return { about, table, start: null, known: null, title: game };
}
