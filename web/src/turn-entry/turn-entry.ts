// The entry of a turn on the board, square by square. The legal turns come from answers; an entry turns touched squares
// into one of them. Entries are immutable: a touch returns a new one.

import type { StepValue, Verdict, View } from '../api/types';
import { betterOf } from '../values/verdicts';

/** A square that may be touched, with the best value that it can lead to. */
export interface Candidate extends Verdict {
  square: string;
  /** The kinds of the steps that the touch begins or continues; the board marks pushes differently. */
  kinds: StepValue['kind'][];
  /** The squares of the pushes among these steps: of the piece that pushes, and of the first one that it pushes. */
  pushes: [from: string, to: string][];
}

/** The entry after a touch, and the step that the touch completed, if any. */
export interface Touched {
  entry: TurnEntry;
  step: StepValue | null;
}

/** The entry after a touch is taken back, or the remaining steps, whose continuations must be requested again. */
export type TakenBack = { entry: TurnEntry } | { begun: StepValue[] };

export interface TurnEntry {
  /** The steps made so far. */
  readonly begun: StepValue[];
  /** The touched squares of the next step. */
  readonly picked: string[];
  candidates(): Map<string, Candidate>;
  /** The next steps that name no square, such as a pass; buttons offer them. */
  squareless(): StepValue[];
  /** A hint in a few words on what the player can do next. */
  advice(): string;
  /** The positions after the turns that match the touched squares; null if they are unknown. */
  positionsLeft(): Set<string> | null;
  /** The board after the entry so far. */
  board(view: View): View;
  touch(square: string): Touched;
  /** Whether a touch there is not part of a legal step, so that an explanation is needed. */
  refuses(square: string): boolean;
  /** Takes back the last touch or step; null if there is none. */
  takeBack(): TakenBack | null;
  /** The same entry without touched squares. */
  cleared(): TurnEntry;
}

/** Records that a square can lead to a step; the square keeps its best verdict. */
export function addCandidate(
  best: Map<string, Candidate>,
  square: string,
  { outcome, turns, kind, squares: [from, to] }: StepValue,
): void {
  const known = best.get(square);
  const pushes: Candidate['pushes'] =
    kind === 'push' && from !== undefined && to !== undefined ? [[from, to]] : [];
  const candidate = { square, outcome, turns, kinds: [kind], pushes };
  if (!known) {
    best.set(square, candidate);
    return;
  }
  const kinds = known.kinds.includes(kind) ? known.kinds : [...known.kinds, kind];
  best.set(square, { ...betterOf(known, candidate), kinds, pushes: [...known.pushes, ...pushes] });
}

/** A copy of a board to change, and its squares by name. */
export function copyOf(view: View) {
  const squares = view.squares.map((square) => square && { ...square });
  const square = (name: string | undefined) => squares.find((square) => square?.name === name);
  return { view: { ...view, squares }, square };
}
