// An attempt at a puzzle: the board, the answer, and the reply to it. If the puzzle is to win, it continues until the
// game is won; after the first turn, any turn that wins as quickly as possible is right. A wrong answer is refuted.

import type { PlayedTurn, StepValue, Verdict } from '../api/types';
import { Session } from '../play/session.svelte';
import type { PuzzleName } from '../values/puzzles';
import { compareVerdicts } from '../values/verdicts';

/** A puzzle with its value for the side to move, and its solution if it is unique. */
export interface Puzzle extends PuzzleName {
  verdict: Verdict;
  solution: string | null;
  /** The number of turns to choose from. */
  choices: number;
}

/** How long a turn stays before the reply to it, and how long its animation may take before that. */
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
  /** The number of turns on the board when the visitor is to move. */
  at = $state(0);
  /** The last answer. */
  made = $state.raw<PlayedTurn | null>(null);
  /** The reply to it; null if there is none, or not yet. */
  reply = $state.raw<PlayedTurn | null>(null);
  /** A best turn in board coordinates, once it is shown. */
  solution = $state('');
  /** Counts tries, so that late replies are dropped. */
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

  /** Whether the visitor is to move. */
  get open(): boolean {
    return this.answer === 'open' && this.session.record.at === this.at;
  }

  /** Handles a touch of a square; a complete turn is the answer. */
  async touch(square: string): Promise<void> {
    // A complete turn counts as the answer before the server has replied.
    if (this.open) await this.judge(() => this.session.touch(square));
  }

  /** Makes a step that names no square, such as a pass. */
  async choose(step: StepValue): Promise<void> {
    if (this.open) await this.judge(() => this.session.choose(step));
  }

  /** Judges the turn that a step completes, if it does. */
  private async judge(step: () => Promise<boolean>): Promise<void> {
    const { goal, at } = this;
    if (!(await step())) return;
    const made = this.session.record.turns[at];
    if (!made || this.session.record.at !== at + 1) return;
    const wanted = at === 0 ? this.puzzle.verdict : made.before;
    const judged = made.after.outcome !== 'unknown' && wanted.outcome !== 'unknown';
    if (!judged && this.puzzle.verdict.outcome !== 'unknown') {
      // Its comment could not be loaded, so it is neither right nor wrong.
      await this.session.show(at);
      this.session.error ||= 'The value of this turn could not be loaded. Play it again.';
      return;
    }
    [this.made, this.reply] = [made, null];
    const right = goal === null ? compareVerdicts(made.after, wanted) <= 0 : made.position === goal;
    if (right) {
      if (this.puzzle.kind === 'win') await this.goOn(made);
      else this.succeed();
      return;
    }
    this.answer = 'wrong';
    this.miss();
    await this.answerTurn();
  }

  private succeed(): void {
    this.answer = 'right';
    if (!this.missed) this.results.first(true);
    this.results.found();
  }

  /** Continues after a right turn: the opponent replies until the visitor is to move, or the game is over. */
  private async goOn({ player }: PlayedTurn): Promise<void> {
    while (!this.session.over && this.session.view?.to_move !== player) {
      if (!(await this.answerTurn())) return;
      // Without values there is nothing to go on with.
      if (!this.reply) break;
    }
    this.at = this.session.record.at;
    if (this.session.over || !this.session.probe) this.succeed();
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

  /** Plays the best reply to the last answer, if its value is known; returns whether the attempt is still the same. */
  private async answerTurn(): Promise<boolean> {
    const trial = ++this.trial;
    for (let time = 0; this.session.moving && time < MOVING; time += SEEN / 4) await wait(SEEN / 4);
    await wait(SEEN);
    const best = this.session.probe?.turns_available[0];
    if (trial !== this.trial) return false;
    if (!best) return true;
    const at = this.session.record.at;
    await this.session.play(best);
    if (trial === this.trial) this.reply = this.session.record.turns[at] ?? null;
    return trial === this.trial;
  }

  async again(): Promise<void> {
    this.trial++;
    [this.made, this.reply] = [null, null];
    this.answer = 'open';
    await this.session.show(this.at);
  }

  /** Shows a right turn on the board. */
  async reveal(): Promise<void> {
    await this.again();
    const turns = this.session.probe?.turns_available ?? [];
    const turn = (this.at === 0 && turns.find(({ turn }) => turn === this.puzzle.solution)) || turns[0];
    // The error of the session says why there is no solution to show.
    if (!turn) return;
    this.miss();
    await this.session.preview(turn);
    this.solution = turn.turn_on_board;
    this.answer = 'shown';
  }
}
