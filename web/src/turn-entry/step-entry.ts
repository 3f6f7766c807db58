// Turns that move pieces or fill squares: a step is chosen by touching its squares.

import type { Piece, StepValue, View } from '../api/types';
import { compareVerdicts } from '../values/verdicts';
import { PASS } from '../words/turns';
import {
  addCandidate,
  copyOf,
  type Candidate,
  type TakenBack,
  type Touched,
  type TurnEntry,
} from './turn-entry';

/** The mark of a filled square during its turn. */
const FILLED: Piece = { shape: 'cross', owner: null, anchored: false, letter: '#', name: 'filled' };

/** The allowed orders of touching the squares of a step. */
const ordersOf = ({ squares, any_order }: StepValue): string[][] =>
  any_order ? [squares, squares.toReversed()] : [squares];

const startsWith = (order: string[], picked: string[]): boolean =>
  picked.length <= order.length && picked.every((square, at) => order[at] === square);

export class StepEntry implements TurnEntry {
  readonly begun: StepValue[];
  readonly picked: string[];
  /** The steps that may follow. */
  private readonly steps: StepValue[];

  constructor(steps: StepValue[], begun: StepValue[] = [], picked: string[] = []) {
    this.steps = steps;
    this.begun = begun;
    this.picked = picked;
  }

  /** The squares that may be touched next. If a step ends on the last touched square, touching it again chooses it. */
  candidates(): Map<string, Candidate> {
    const best = new Map<string, Candidate>();
    for (const step of this.steps) {
      for (const order of ordersOf(step)) {
        if (!startsWith(order, this.picked)) continue;
        const square = order[this.picked.length] ?? order.at(-1);
        if (square !== undefined) addCandidate(best, square, step);
      }
    }
    return best;
  }

  squareless(): StepValue[] {
    return this.steps.filter(({ squares }) => squares.length === 0);
  }

  advice(): string {
    const kinds = new Set(this.fitting().map(({ kind }) => kind));
    if (this.picked.length > 0) {
      if (kinds.has('push') && kinds.size > 1) return 'Choose where to move, or a piece to push.';
      return kinds.has('push') ? 'Choose a piece to push.' : 'Choose a destination.';
    }
    if (this.begun.length === 0)
      return this.steps.length === 1 && this.steps[0]?.turn_on_board === PASS
        ? 'The only turn is to pass.'
        : '';
    if (kinds.has('fill')) return 'Continue the turn.';
    return kinds.has('move') ? 'Make another move, or push to end the turn.' : 'Push to end the turn.';
  }

  positionsLeft(): Set<string> | null {
    if (this.picked.length === 0) return null;
    const fitting = this.fitting();
    // A step that does not end its turn leads to many turns, and only a best one is known.
    return fitting.every(({ ends }) => ends) ? new Set(fitting.map(({ position }) => position)) : null;
  }

  board(view: View): View {
    if (this.begun.length === 0) return view;
    const { view: copy, square } = copyOf(view);
    for (const step of this.begun) {
      if (step.kind === 'fill') {
        for (const filled of step.squares.map(square)) if (filled) filled.piece = FILLED;
        continue;
      }
      const [from, to] = step.squares.map(square);
      if (from && to) [to.piece, from.piece] = [from.piece, null];
    }
    return copy;
  }

  touch(square: string): Touched {
    if (!this.candidates().has(square)) {
      // Picks another piece instead.
      const again = this.with([]).candidates().has(square) && this.picked[0] !== square;
      return { entry: this.with(again ? [square] : []), step: null };
    }
    const here = this.chosen();
    if (this.picked.at(-1) === square && here.step) return { entry: this, step: here.step };
    const touched = this.with([...this.picked, square]);
    const { step, mayGoOn } = touched.chosen();
    return step && !mayGoOn ? { entry: this, step } : { entry: touched, step: null };
  }

  refuses(square: string): boolean {
    const takesUp = this.with([]).candidates().has(square);
    return (
      this.steps.length > 0 && !this.candidates().has(square) && !takesUp && !this.picked.includes(square)
    );
  }

  takeBack(): TakenBack | null {
    if (this.picked.length > 0) return { entry: this.with(this.picked.slice(0, -1)) };
    return this.begun.length > 0 ? { begun: this.begun.slice(0, -1) } : null;
  }

  cleared(): StepEntry {
    return this.with([]);
  }

  private with(picked: string[]): StepEntry {
    return new StepEntry(this.steps, this.begun, picked);
  }

  /** The steps that match the picked squares. */
  private fitting(): StepValue[] {
    return this.steps.filter((step) => ordersOf(step).some((order) => startsWith(order, this.picked)));
  }

  /** The best step with exactly the picked squares, and whether longer steps start with them. */
  private chosen(): { step: StepValue | null; mayGoOn: boolean } {
    let best: StepValue | null = null;
    let mayGoOn = false;
    for (const step of this.steps) {
      for (const order of ordersOf(step)) {
        if (!startsWith(order, this.picked)) continue;
        if (order.length > this.picked.length) mayGoOn = true;
        else if (!best || compareVerdicts(step, best) < 0) best = step;
      }
    }
    return { step: best, mayGoOn };
  }
}
