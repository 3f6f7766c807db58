// A puzzle that somebody tries: the board with it, the answer, and the reply that refutes a wrong one.

import type { PlayedTurn, Verdict } from '../api/types';
import { Session } from '../play/session.svelte';
import type { PuzzleName } from '../values/puzzles';
import { compareVerdicts } from '../values/verdicts';

/** A puzzle with its value for the side to move, and its solution where there is just one. */
export interface Puzzle extends PuzzleName {
  verdict: Verdict;
  solution: string | null;
}

/** How long a wrong turn stands before it is refuted, and how long at most it is on its way before. */
const SEEN = 600;
const MOVING = 2500;
const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** The consequences of the answer to a puzzle. */
export interface Results {
  /** Called once: with the first answer, or when the solution is shown instead of one. */
  first(solved: boolean): void;
  /** Called when the right turn is found, at once or later. */
  found(): void;
}

export class Attempt {
  readonly puzzle: Puzzle;
  readonly session: Session;
  private readonly results: Results;
  answer = $state<'open' | 'right' | 'wrong' | 'shown'>('open');
  /** Whether it was answered wrongly or shown before it was solved. */
  missed = $state(false);
  made = $state.raw<PlayedTurn | null>(null);
  /** The reply to a wrong turn; null if there is none (yet). */
  reply = $state.raw<PlayedTurn | null>(null);
  /** A best turn on the board's coordinates, once it is shown. */
  solution = $state('');
  /** Counts trials: a refutation that comes too late is dropped. */
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

  /** A square is touched; with a whole turn the answer is given. */
  async touch(square: string): Promise<void> {
    // A turn that is made is answered, even if its answer is still under way.
    if (this.answer !== 'open' || this.session.record.at > 0) return;
    const goal = this.goal;
    await this.session.touch(square);
    const made = this.session.record.turns[0];
    if (!made || this.session.record.at !== 1) return;
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

  /** The position that the right turn leads to, where others are as good by their values; null where they are not. */
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
    this.miss();
    await this.session.show(0);
    const turns = this.session.probe?.turns_available ?? [];
    const turn = turns.find(({ turn }) => turn === this.puzzle.solution) ?? turns[0];
    if (turn) {
      await this.session.preview(turn);
      this.solution = turn.turn_on_board;
    }
    this.answer = 'shown';
  }
}
