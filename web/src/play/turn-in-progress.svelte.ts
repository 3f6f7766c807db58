// The turn in progress on a session's board: the touched squares, how the turn can continue, and why a touch was
// rejected. The session provides the position; the requests during the turn are here.

import { api } from '../api/api';
import type { Motion, Probe, StepValue, TurnValue, View } from '../api/types';
import type { ShownTurn } from '../board/motion';
import { beginTurn, NO_ENTRY } from '../turn-entry/begin';
import { StepEntry } from '../turn-entry/step-entry';
import type { TurnEntry } from '../turn-entry/turn-entry';
import type { Place } from '../values/places';
import { reportEarly } from './early-report';

/** Runs requests and shows their errors, unless their answers are no longer wanted. */
type During = (work: () => Promise<unknown>, wanted: () => boolean) => Promise<void>;

/** A move of a piece from one square to another, with the board before it. */
function slideOf(board: View, step: StepValue | undefined): ShownTurn | null {
  const [from, to, ...more] = step?.squares ?? [];
  if (!step || step.kind !== 'move' || !from || !to || more.length > 0) return null;
  const slide: Motion = { kind: 'slide', from, to, via: [], toward: null, piece: null };
  return { key: step, turn: { ...board, motions: [[slide]] } };
}

/** Touches squares of a new entry again, as far as they are allowed. */
function touched(entry: TurnEntry, squares: readonly string[]): TurnEntry {
  for (const square of squares) {
    const next = entry.touch(square);
    if (next.step) return entry;
    entry = next.entry;
  }
  return entry;
}

/** Called with the turns that begin with some steps before their values are loaded; null while there are none. */
type OnTurns = (turns: Probe | null) => void;

/** Plays a complete turn; the turn in progress is cleared at once. */
type OnTurn = (turn: StepValue) => Promise<void>;

export class TurnInProgress {
  private readonly game: string;
  private readonly during: During;
  private readonly onTurns: OnTurns;
  private readonly onTurn: OnTurn;
  private begun: { place: Place; view: View } | null = null;
  /** Counts changes, so that answers to outdated requests are dropped. */
  private request = 0;
  /** The steps whose continuations have been requested but are not all known; null if there are none. */
  private wanted = $state.raw<StepValue[] | null>(null);
  /** The touches that wait until it is known how the turn continues, called with whether they are made then; null if it is
   * known. */
  private early = $state.raw<((made: boolean) => void)[] | null>(null);

  entry = $state.raw<TurnEntry>(NO_ENTRY);
  /** Whether the values of the steps are loaded. */
  valued = $state(true);
  /** The turns that begin with the steps made so far; null without steps, or until they are loaded. */
  turns = $state.raw<TurnValue[] | null>(null);
  /** The last step, for its animation; null after one was taken back, undefined before the first. */
  motion = $state.raw<ShownTurn | null | undefined>(undefined);
  /** Why the last touch or command did nothing; empty if it worked. */
  refusal = $state('');

  constructor(game: string, during: During, onTurns: OnTurns, onTurn: OnTurn) {
    this.game = game;
    this.during = during;
    this.onTurns = onTurns;
    this.onTurn = onTurn;
  }

  /** Disables the board until a turn begins. */
  clear(): void {
    this.request++;
    this.endWait(false);
    this.begun = this.wanted = null;
    this.entry = NO_ENTRY;
    this.turns = null;
    this.motion = undefined;
    this.refusal = '';
  }

  /** Begins a turn in a position, with the possible first steps, which may not have values yet. */
  begin(place: Place, view: View, steps: StepValue[], valued = true): void {
    this.clear();
    this.begun = { place, view };
    this.entry = beginTurn(view, steps);
    this.valued = valued;
  }

  /** Sets the values of the first steps; squares that were touched in the meantime stay touched. */
  value(place: Place, view: View, steps: StepValue[]): void {
    const { entry, begun } = this;
    if (!begun || this.valued) this.begin(place, view, steps);
    else if (entry.begun.length === 0) {
      this.entry = touched(beginTurn(view, steps), entry.picked);
      this.valued = true;
    }
    // After the first step, the values of the next steps are requested separately.
  }

  /** Handles a touch of a square; returns whether that completed the turn, which is then played. */
  async touch(square: string): Promise<boolean> {
    if (this.early) {
      const { early } = this;
      const made = await new Promise<boolean>((resolve) => (this.early = [...early, resolve]));
      return made && this.touch(square);
    }
    const before = this.entry;
    const { entry, step } = before.touch(square);
    this.entry = entry;
    this.refusal = '';
    if (step) return this.choose(step);
    if (before.refuses(square)) await this.askWhy(before, square);
    return false;
  }

  /** Makes a step; returns whether that completed the turn, which is then played. */
  async choose(step: StepValue): Promise<boolean> {
    if (this.early) return false;
    this.refusal = '';
    if (step.ends) await this.onTurn(step);
    else await this.goOn([...this.entry.begun, step]);
    return step.ends;
  }

  /** Whether there is a touched square or a step to take back. */
  get canTakeBack(): boolean {
    const { early, wanted } = this;
    return early ? early.length > 0 || (wanted ?? []).length > 0 : this.entry.takeBack() !== null;
  }

  /** Takes back the last touched square or step, also one that still loads; returns false if there is none. */
  takeBack(): boolean {
    if (!this.canTakeBack) return false;
    this.refusal = '';
    const { early, wanted } = this;
    if (early) {
      this.early = early.slice(0, -1);
      if (early.length > 0) early.at(-1)?.(false);
      else void this.goOn((wanted ?? []).slice(0, -1));
      return true;
    }
    const taken = this.entry.takeBack();
    if (taken && 'entry' in taken) this.entry = taken.entry;
    else if (taken) void this.goOn(taken.begun);
    return true;
  }

  /** Makes the touches that wait, or drops them. */
  private endWait(made: boolean): void {
    const { early } = this;
    this.early = null;
    for (const end of early ?? []) end(made);
  }

  /** Repeats the request for continuations that failed; returns false if none did. */
  async again(): Promise<boolean> {
    if (!this.wanted) return false;
    await this.goOn(this.wanted);
    return true;
  }

  /** Requests the continuations of the turn after some of its steps. */
  private async goOn(steps: StepValue[]): Promise<void> {
    const { begun, entry: before } = this;
    if (!begun) return;
    const request = ++this.request;
    const wanted = () => request === this.request;
    const query = this.query(begun.place, steps);
    [this.wanted, this.early] = [steps, []];
    this.entry = this.entry.cleared();
    this.onTurns(null);
    await this.during(async () => {
      let listed = false;
      const follow = (next: StepValue[], valued: boolean): void => {
        const entry = steps.length > 0 ? new StepEntry(next, steps) : beginTurn(begun.view, next);
        if (!listed) {
          this.turns = null;
          this.motion =
            steps.length > before.begun.length ? slideOf(before.board(begun.view), steps.at(-1)) : null;
        }
        this.entry = listed ? touched(entry, this.entry.picked) : entry;
        this.valued = valued;
        this.endWait(true);
      };
      const values = api.steps(this.game, query);
      void reportEarly(this.game, query, values, ({ steps: next, probe }) => {
        if (!wanted()) return;
        follow(next.steps_available, false);
        listed = true;
        this.onTurns(probe);
      });
      const { steps_available: next } = await values;
      if (!wanted()) return;
      follow(next, true);
      const turns = steps.length > 0 ? (await api.probe(this.game, query)).turns_available : null;
      if (!wanted()) return;
      this.turns = turns;
      this.wanted = null;
    }, wanted);
    // After an error, the old steps can be chosen again.
    if (wanted()) this.endWait(false);
  }

  /** Requests the reason why a touch is not a legal step. */
  private async askWhy(before: TurnEntry, square: string): Promise<void> {
    const { begun, request, entry } = this;
    if (!begun) return;
    const squares = [...before.picked, square].join(',');
    try {
      const { reason } = await api.refusal(this.game, { ...this.query(begun.place, before.begun), squares });
      if (reason && request === this.request && this.entry === entry) this.refusal = reason;
    } catch {
      // Then there is no explanation.
    }
  }

  private query({ position, toMove }: Place, steps: StepValue[]) {
    const moves = steps.map((step) => step.step).join(',');
    return { position, to_move: toMove, ...(moves ? { moves } : {}) };
  }
}
