// A game that is looked at: its record, all that is known of the position that is shown, and the turn
// that is being made there. Questions go out from here; record and entry only hold state.

import { api } from '../api/api';
import type { GameAnswer, Mark, Piece, Probe, Seat, StepValue, TurnValue, Verdict, View } from '../api/types';
import { beginTurn, NO_ENTRY } from '../turn-entry/begin';
import { StepEntry } from '../turn-entry/step-entry';
import type { TurnEntry } from '../turn-entry/turn-entry';
import { errorText } from '../words/games';
import { GameRecord, type Place } from './record';
import { annotated, bestLine } from './turns';

export class Session {
  readonly game: string;
  about = $state.raw<GameAnswer | null>(null);
  record = $state.raw(new GameRecord({ position: '', toMove: 'first' }));
  probe = $state.raw<Probe | null>(null);
  view = $state.raw<View | null>(null);
  entry = $state.raw<TurnEntry>(NO_ENTRY);
  /** Marks of a turn that is only looked at. */
  marks = $state.raw<Mark[]>([]);
  /** The error of the last request; empty if it went well. */
  error = $state('');
  loading = $state(true);

  /** Counts requests: an answer that another request has overtaken is dropped. */
  private request = 0;

  constructor(game: string) {
    this.game = game;
  }

  /** The squares that may be touched, with the best that each can lead to. */
  readonly candidates = $derived(this.entry.candidates());
  readonly advice = $derived(this.over || this.loading ? '' : this.entry.advice());
  /** The board with the steps made so far. */
  readonly board = $derived(this.view && this.entry.board(this.view));

  // Getters, not deriveds: answers may come after the screen that began the session is left.
  get here(): Place {
    return this.record.here;
  }

  get palette(): Piece[] {
    return this.view?.palette ?? [];
  }

  get over(): boolean {
    return this.view !== null && this.view.over !== null;
  }

  get verdict(): Verdict {
    return this.probe ?? { outcome: 'unknown', turns: null };
  }

  /** Opens the game at a position, with turns that were made from it. */
  async open(position: string | null, toMove: Seat, turns: string[], at: number | null): Promise<void> {
    const request = ++this.request;
    this.loading = true;
    this.error = '';
    try {
      const about = await api.game(this.game);
      const query = { position: position ?? about.about.start, to_move: toMove };
      const start: Place = { position: (await api.view(this.game, query)).position, toMove };
      let record = new GameRecord(start);
      let error = '';
      if (turns.length > 0) {
        try {
          record = new GameRecord(start, await annotated(this.game, start, turns), at ?? turns.length);
        } catch (cause) {
          error = errorText(cause);
        }
      }
      if (request !== this.request) return;
      this.about = about;
      this.record = record;
      await this.load();
      if (error) this.error = error;
    } catch (error) {
      if (request !== this.request) return;
      this.error = errorText(error);
      this.loading = false;
    }
  }

  /** Shows the position after so many turns. */
  async show(at: number): Promise<void> {
    this.record = this.record.goTo(at);
    await this.load();
  }

  private async load(): Promise<void> {
    const request = ++this.request;
    const { position, toMove } = this.here;
    this.loading = true;
    this.error = '';
    this.entry = NO_ENTRY;
    this.marks = [];
    try {
      const query = { position, to_move: toMove };
      const [view, { steps_available: steps }, probe] = await Promise.all([
        api.view(this.game, query),
        api.steps(this.game, query),
        api.probe(this.game, query),
      ]);
      if (request !== this.request) return;
      this.view = view;
      this.probe = probe;
      this.entry = beginTurn(view, steps);
    } catch (error) {
      if (request === this.request) this.error = errorText(error);
    } finally {
      if (request === this.request) this.loading = false;
    }
  }

  /** A square is touched; a step or a turn that is complete with it is made. */
  async touch(square: string): Promise<void> {
    if (this.loading) return;
    const { entry, step } = this.entry.touch(square);
    this.entry = entry;
    if (step?.ends) await this.play(step.turn);
    else if (step) await this.goOn([...entry.begun, step]);
  }

  /** Asks how the turn can go on after some of its steps. */
  private async goOn(begun: StepValue[]): Promise<void> {
    const request = ++this.request;
    const { position, toMove } = this.here;
    const moves = begun.map((step) => step.step).join(',');
    this.entry = this.entry.cleared();
    this.loading = true;
    try {
      const { steps_available: steps } = await api.steps(this.game, { position, to_move: toMove, moves });
      if (request === this.request) this.entry = new StepEntry(steps, begun);
    } catch (error) {
      if (request === this.request) this.error = errorText(error);
    } finally {
      if (request === this.request) this.loading = false;
    }
  }

  /** Takes back the square that was touched last, or the last step; false if nothing was begun. */
  takeBack(): boolean {
    const taken = this.entry.takeBack();
    if (!taken) return false;
    if ('entry' in taken) this.entry = taken.entry;
    else void this.goOn(taken.begun);
    return true;
  }

  /** Makes a turn, in its maker's words. Later turns of the record are forgotten. */
  async play(turn: string): Promise<void> {
    const { here, record } = this;
    this.loading = true;
    try {
      const made = await annotated(this.game, here, [turn]);
      if (this.record !== record) return;
      this.record = record.with(made);
      await this.show(record.at + made.length);
    } catch (error) {
      this.error = errorText(error);
      this.loading = false;
    }
  }

  /** Reads a game that was written down, from where this one began. */
  async read(turns: string[]): Promise<void> {
    const { start } = this.record;
    this.record = new GameRecord(start, await annotated(this.game, start, turns));
    await this.load();
  }

  /** Adds a best line to the turns; says how many turns were added. */
  async addBestLine(): Promise<number> {
    const { here, record } = this;
    const made = await bestLine(this.game, here);
    if (this.record !== record) return 0;
    this.record = record.with(made);
    return made.length;
  }

  /** Marks on the board what a turn would do. */
  async preview(turn: TurnValue | null): Promise<void> {
    if (!turn) {
      this.marks = [];
      return;
    }
    const { position, toMove } = this.here;
    try {
      const view = await api.view(this.game, { position, to_move: toMove, turn: turn.turn });
      if (this.here.position === position) this.marks = view.marks;
    } catch {
      // Only a preview.
    }
  }
}
