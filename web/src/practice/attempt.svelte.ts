// An attempt at a puzzle: the board, the answer, and the reply that refutes a wrong answer.

import type { PlayedTurn, Verdict } from '../api/types';
import { Session } from '../play/session.svelte';
import type { PuzzleName } from '../values/puzzles';
import { compareVerdicts } from '../values/verdicts';

/** A puzzle with its value for the side to move, and its solution if it is unique. */
export interface Puzzle extends PuzzleName {
  verdict: Verdict;
  solution: string | null;
}

/** How long a wrong turn stays before it is refuted, and how long its animation may take before that. */
const SEEN = 600;
const MOVING = 2500;
const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** Callbacks for the answer to a puzzle. */
export interface Results {
  /** Called once, with the first answer or when the solution is shown. */
  first(solved: boolean): void;
  /** Called when the right turn is found, on the first try or later. */
  found(): void;
}

export class Attempt {
  readonly puzzle: Puzzle;
  readonly session: Session;
  private readonly results: Results;
  answer = $state<'open' | 'right' | 'wrong' | 'shown'>('open');
  /** Whether it was answered wrongly, or its solution was shown. */
  missed = $state(false);
  made = $state.raw<PlayedTurn | null>(null);
  /** The reply to a wrong turn; null if there is none, or not yet. */
  reply = $state.raw<PlayedTurn | null>(null);
  /** A best turn in board coordinates, once it is shown. */
  solution = $state('');
  /** Counts tries, so that late refutations are dropped. */
  private trial = 0;

  private constructor(puzzle: Puzzle, session: Session, results: Results) {
    this.puzzle = puzzle;
    this.session = session;
    this.results = results;
  }

  static async open(puzzle: Puzzle, results: Results): Promise<Attempt> {
    const session = new Session(puzzle.game);
    await session.open(puzzle.position, puzzle.toMove, [], null);
    return new Attempt(puzzle, session, results);
  }

  /** Handles a touch of a square; a complete turn is the answer. */
  async touch(square: string): Promise<void> {
    // A complete turn counts as the answer before the server has replied.
    if (this.answer !== 'open' || this.session.record.at > 0) return;
    const goal = this.goal;
    await this.session.touch(square);
    const made = this.session.record.turns[0];
    if (!made || this.session.record.at !== 1) return;
    if (made.after.outcome === 'unknown' && this.puzzle.verdict.outcome !== 'unknown') {
      // Its value could not be loaded, so it is neither right nor wrong.
      await this.session.show(0);
      this.session.error ||= 'The value of this turn could not be loaded. Play it again.';
      return;
    }
    this.made = made;
    const right =
      goal === null ? compareVerdicts(made.after, this.puzzle.verdict) <= 0 : made.position === goal;
    if (right) {
      this.answer = 'right';
      if (!this.missed) this.results.first(true);
      this.results.found();
      return;
    }
    this.answer = 'wrong';
    this.miss();
    await this.refute();
  }

  /** The position after the right turn, if other turns have the same value; else null. */
  private get goal(): string | null {
    if (this.puzzle.kind !== 'press') return null;
    const turns = this.session.probe?.turns_available ?? [];
    return turns.find(({ turn }) => turn === this.puzzle.solution)?.position ?? null;
  }

  private miss(): void {
    if (!this.missed) this.results.first(false);
    this.missed = true;
  }

  private async refute(): Promise<void> {
    const trial = ++this.trial;
    const best = this.session.probe?.turns_available[0];
    for (let time = 0; this.session.moving && time < MOVING; time += SEEN / 4) await wait(SEEN / 4);
    await wait(SEEN);
    if (!best || trial !== this.trial) return;
    await this.session.play(best);
    if (trial === this.trial) this.reply = this.session.record.turns[1] ?? null;
  }

  async again(): Promise<void> {
    this.trial++;
    [this.made, this.reply] = [null, null];
    this.answer = 'open';
    await this.session.show(0);
  }

  /** Shows a right turn on the board. */
  async reveal(): Promise<void> {
    this.trial++;
    [this.made, this.reply] = [null, null];
    this.answer = 'open';
    await this.session.show(0);
    const turns = this.session.probe?.turns_available ?? [];
    const turn = turns.find(({ turn }) => turn === this.puzzle.solution) ?? turns[0];
    // The error of the session says why there is no solution to show.
    if (!turn) return;
    this.miss();
    await this.session.preview(turn);
    this.solution = turn.turn_on_board;
    this.answer = 'shown';
  }
}
