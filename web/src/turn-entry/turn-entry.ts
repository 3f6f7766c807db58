// A turn that is being made on the board, square by square. The answers say which turns there are; here
// touched squares become one of them. An entry never changes: a touch gives a new one.

import type { StepValue, Verdict, View } from '../api/types';
import { betterOf } from '../values/verdicts';

/** A square that may be touched, with the best that it can lead to. */
export interface Candidate extends Verdict {
  square: string;
  /** The kinds of the steps that the touch begins or goes on with; a board marks pushes in another way. */
  kinds: StepValue['kind'][];
}

/** The entry after a touch, and the step that the touch completed, if it did. */
export interface Touched {
  entry: TurnEntry;
  step: StepValue | null;
}

/** The entry after one touch is taken back, or the steps that are left and must be asked for again. */
export type TakenBack = { entry: TurnEntry } | { begun: StepValue[] };

export interface TurnEntry {
  /** Steps of the turn that are made. */
  readonly begun: StepValue[];
  /** Squares of the next step that were touched. */
  readonly picked: string[];
  candidates(): Map<string, Candidate>;
  /** Says in a few words how the player can go on. */
  advice(): string;
  /** The positions after the turns that the touched squares leave; null where they do not tell. */
  positionsLeft(): Set<string> | null;
  /** The board as it stands with the entry so far. */
  board(view: View): View;
  touch(square: string): Touched;
  /** Whether a touch there is no step and no beginning of one, so that there is something to explain. */
  refuses(square: string): boolean;
  /** Takes back the last touch, or the last step; null if nothing was begun. */
  takeBack(): TakenBack | null;
  /** The same entry with nothing touched. */
  cleared(): TurnEntry;
}

/** Notes that a square leads to what a step leads to; the best verdict of a square stays. */
export function addCandidate(
  best: Map<string, Candidate>,
  square: string,
  { outcome, turns, kind }: StepValue,
): void {
  const known = best.get(square);
  const candidate = { square, outcome, turns, kinds: [kind] };
  if (!known) {
    best.set(square, candidate);
    return;
  }
  const kinds = known.kinds.includes(kind) ? known.kinds : [...known.kinds, kind];
  best.set(square, { ...betterOf(known, candidate), kinds });
}

/** A copy of a board on which other pieces may be put, and its squares by name. */
export function copyOf(view: View) {
  const squares = view.squares.map((square) => square && { ...square });
  const square = (name: string | undefined) => squares.find((square) => square?.name === name);
  return { view: { ...view, squares }, square };
}
