// What the server answers, field by field as docs/json.md and /openapi.json describe it.

export type Seat = 'first' | 'second';
export type Outcome = 'win' | 'loss' | 'draw' | 'unknown';

/** An outcome and the turns of both players to the end. */
export interface Verdict {
  outcome: Outcome;
  turns: number | null;
}

/** Whole numbers above 2⁵³ come as strings. */
export type Count = number | string;

export interface About {
  game: string;
  summary: string;
  positions: Count;
  start: string;
}

export interface GameSummary {
  about: About;
  table: boolean;
  start: Verdict | null;
}

export interface GameAnswer extends GameSummary {
  plan: { method: string; advice: string; memory: Count; fits: boolean };
}

export interface TurnValue extends Verdict {
  turn: string;
  turn_on_board: string;
  position: string;
}

export interface Probe extends Verdict {
  game: string;
  position: string;
  board: string;
  to_move: Seat;
  source: 'table' | 'search' | 'rules';
  turns_available: TurnValue[];
}

export interface StepValue extends TurnValue {
  step: string;
  ends: boolean;
}

export interface Steps extends Verdict {
  position: string;
  begun: string[];
  steps_available: StepValue[];
}

export interface Line extends Verdict {
  line: { position: string; to_move: Seat; turn: string; turn_on_board: string; outcome: Outcome; turns: number | null }[];
  end: string;
  ends: 'over' | 'repeats' | 'unknown' | 'limit';
}

export interface Annotation {
  turn: string;
  turn_on_board: string;
  player: Seat;
  position: string;
  before: Verdict;
  after: Verdict;
  mark: '' | '!' | '?' | '?!';
  better: string | null;
}

export interface Piece {
  shape: 'round' | 'square' | 'pawn' | 'cross';
  owner: Seat | null;
  anchored: boolean;
  letter: string;
}

export interface Square {
  name: string;
  piece: Piece | null;
}

export interface Mark {
  kind: 'move' | 'push' | 'fill';
  squares: string[];
}

export interface View {
  game: string;
  position: string;
  to_move: Seat;
  over: Outcome | null;
  columns: number;
  rows: number;
  squares: (Square | null)[];
  rails: { square: string; side: 'top' | 'right' | 'bottom' | 'left' }[];
  marks: Mark[];
  turn_on_board: string | null;
  palette: Piece[];
}

export interface Statistics {
  game: string;
  positions: Count;
  wins: Count;
  losses: Count;
  draws: Count;
  start: Verdict;
  by_turns: { win: Record<string, Count>; loss: Record<string, Count> };
  longest_win?: { position: string; turns: number } | null;
}

export interface Found extends Verdict {
  index: Count;
  position: string;
}

export interface Puzzle extends Found {
  solution: string;
  turns_available: number;
}
