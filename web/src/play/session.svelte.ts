// A game that is looked at: its tree of turns, the position that is shown with all that is known of it, and
// the turn that is being made there. Questions go out from here; tree and entry only hold state.

import { api } from '../api/api';
import type {
  GameAnswer,
  Mark,
  Piece,
  Probe,
  Seat,
  StepValue,
  TurnValue,
  View,
} from '../api/types';
import type { WrittenTurn } from '../navigation/written-turns';
import { beginTurn, NO_ENTRY } from '../turn-entry/begin';
import { StepEntry } from '../turn-entry/step-entry';
import type { TurnEntry } from '../turn-entry/turn-entry';
import { errorText, titleOf } from '../words/games';
import { readGame } from '../words/records';
import { samePlace, type Place } from './place';
import type { Shown } from './shown';
import { GameTree } from './tree';
import { grownTree } from './tree-text';
import { annotated, bestLine, unmarked, type KnownTurn } from './turns';

export class Session {
  readonly game: string;
  about = $state.raw<GameAnswer | null>(null);
  record = $state.raw(GameTree.begin({ position: '', toMove: 'first' }));
  /** The position whose answers came last; it lags behind the record while answers are under way. */
  shown = $state.raw<Shown | null>(null);
  entry = $state.raw<TurnEntry>(NO_ENTRY);
  /** The turns that begin with the steps that were made; null where none were, or until they are there. */
  private begunTurns = $state.raw<TurnValue[] | null>(null);
  /** The parts of a turn of this game, such as two moves and a push; none where a turn is one step. */
  parts = $state.raw<string[]>([]);
  /** Why the last touch or wish came to nothing; empty if it did not. */
  refusal = $state('');
  /** Marks of a turn that is only looked at. */
  marks = $state.raw<Mark[]>([]);
  /** The error of the last request; empty if it went well. */
  error = $state('');
  /** Requests that are under way. */
  private waiting = $state(0);

  /** Counts changes of what is shown: an answer that another change has overtaken is dropped. */
  private request = 0;

  constructor(game: string) {
    this.game = game;
  }

  /** The squares that may be touched, with the best that each can lead to. */
  readonly candidates = $derived(this.entry.candidates());
  readonly advice = $derived(this.over ? '' : this.entry.advice());
  /** The board with the steps made so far. */
  readonly board = $derived(this.view && this.entry.board(this.view));

  // Getters, not deriveds: answers may come after the screen that began the session is left.
  get loading(): boolean {
    return this.waiting > 0;
  }

  get here(): Place {
    return this.record.here;
  }

  get view(): View | null {
    return this.shown?.view ?? null;
  }

  /** What is known of the position; null until the answer for this very position is there. */
  get probe(): Probe | null {
    return this.shown && samePlace(this.shown.place, this.here) ? this.shown.probe : null;
  }

  /** The turns that can still be made, best first; null until they are known. */
  get turns(): TurnValue[] | null {
    const turns = this.entry.begun.length > 0 ? this.begunTurns : (this.probe?.turns_available ?? null);
    const left = this.entry.positionsLeft();
    return turns && left ? turns.filter(({ position }) => left.has(position)) : turns;
  }

  /** How many turns there are; null until it is known. */
  get turnCount(): number | null {
    const { turns, probe } = this;
    const whole = turns && turns === probe?.turns_available ? probe.page?.count : undefined;
    return whole ?? turns?.length ?? null;
  }

  get palette(): Piece[] {
    return this.view?.palette ?? [];
  }

  get over(): boolean {
    return this.view !== null && this.view.over !== null;
  }

  /** Opens the game at a position, with turns that were made from it. Turns that are not possible are left out
   * and named. */
  async open(position: string | null, toMove: Seat, turns: WrittenTurn[], at: number | null): Promise<void> {
    const request = ++this.request;
    this.error = '';
    await this.during(async () => {
      const about = await api.game(this.game);
      const query = { position: position ?? about.about.start, to_move: toMove };
      const start: Place = { position: (await api.view(this.game, query)).position, toMove };
      const { tree, bad } = await grownTree(this.game, start, turns, at);
      if (request !== this.request) return;
      this.about = about;
      this.record = tree;
      await this.load();
      if (bad.length > 0)
        this.error = bad
          .map(({ turn, reason }) => `“${turn}” in the address was left out: ${reason}.`)
          .join(' ');
    });
  }

  /** Reads a game that was written down, in place of this one. */
  async read(text: string): Promise<void> {
    const { game, coordinates, position, toMove, turns } = readGame(text);
    if (game !== null && game !== this.game)
      throw new Error(`This is a game of ${titleOf(game)}: open it there.`);
    const { position: begins } = await api.view(this.game, {
      position: position ?? this.about?.about.start,
      to_move: toMove,
    });
    const start: Place = { position: begins, toMove };
    const made = await annotated(this.game, start, turns, coordinates);
    await this.change(GameTree.begin(start).with(made).goTo(made.length));
  }

  /** Begins anew. */
  async restart(): Promise<void> {
    if (!this.about) return;
    this.record = GameTree.begin({ position: this.about.about.start, toMove: 'first' });
    await this.load();
  }

  /** Shows the position after so many turns of the line. */
  async show(at: number): Promise<void> {
    await this.change(this.record.goTo(at));
  }

  /** Shows another place of the tree, or another tree. */
  async change(record: GameTree): Promise<void> {
    this.record = record;
    await this.load();
  }

  /** Runs requests; an error of theirs is shown. */
  private async during(work: () => Promise<unknown>): Promise<void> {
    this.waiting++;
    try {
      await work();
    } catch (error) {
      this.error = errorText(error);
    } finally {
      this.waiting--;
    }
  }

  private async load(): Promise<void> {
    const request = ++this.request;
    const place = this.here;
    const query = { position: place.position, to_move: place.toMove };
    const current = <T>(take: (answer: T) => void) => {
      return (answer: T) => {
        if (request === this.request) take(answer);
      };
    };
    this.error = '';
    this.entry = NO_ENTRY;
    this.begunTurns = null;
    this.marks = [];
    this.refusal = '';
    await this.during(async () => {
      const seen = api.view(this.game, query);
      const shown = seen.then(current((view: View) => (this.shown = { place, view, probe: null })));
      const steps = Promise.all([seen, api.steps(this.game, query), shown]);
      const probe = Promise.all([seen, api.probe(this.game, query), shown]);
      await Promise.all([
        steps.then(
          current(([view, { steps_available, parts }]) => {
            this.parts = parts ?? [];
            this.entry = beginTurn(view, steps_available);
          }),
        ),
        probe.then(current(([view, probe]) => (this.shown = { place, view, probe }))),
      ]);
    });
  }

  /** Says why something cannot be done. */
  refuse(reason: string): void {
    this.refusal = reason;
  }

  /** A square is touched; a step or a turn that is complete with it is made. */
  async touch(square: string): Promise<void> {
    const before = this.entry;
    const { entry, step } = before.touch(square);
    this.entry = entry;
    this.marks = [];
    this.refusal = '';
    if (!step && before.refuses(square)) await this.askWhy(before, square);
    if (step?.ends) await this.play(step);
    else if (step) await this.goOn([...entry.begun, step]);
  }

  /** Asks why a touch is no step. */
  private async askWhy({ picked, begun }: TurnEntry, square: string): Promise<void> {
    const { request, here, entry } = this;
    try {
      const { reason } = await api.refusal(this.game, {
        position: here.position,
        to_move: here.toMove,
        moves: begun.map((step) => step.step).join(','),
        squares: [...picked, square].join(','),
      });
      if (reason && request === this.request && this.entry === entry) this.refusal = reason;
    } catch {
      // Then the touch has no answer, as where a game has no words for it.
    }
  }

  /** Asks how the turn can go on after some of its steps. */
  private async goOn(begun: StepValue[]): Promise<void> {
    const request = ++this.request;
    const { position, toMove } = this.here;
    const moves = begun.map((step) => step.step).join(',');
    this.entry = this.entry.cleared();
    await this.during(async () => {
      const query = { position, to_move: toMove, moves };
      const { steps_available: steps, parts } = await api.steps(this.game, query);
      if (request !== this.request) return;
      this.parts = parts ?? [];
      this.begunTurns = null;
      this.entry = begun.length > 0 || !this.view ? new StepEntry(steps, begun) : beginTurn(this.view, steps);
      if (begun.length === 0) return;
      const { turns_available: turns } = await api.probe(this.game, query);
      if (request === this.request) this.begunTurns = turns;
    });
  }

  /** Takes back the square that was touched last, or the last step; false if nothing was begun. */
  takeBack(): boolean {
    const taken = this.entry.takeBack();
    if (!taken) return false;
    if ('entry' in taken) this.entry = taken.entry;
    else void this.goOn(taken.begun);
    return true;
  }

  /** Makes a turn whose outcome is known already; its marks and the comment on it come later. */
  async play(turn: KnownTurn): Promise<void> {
    const from = this.here;
    const before = this.probe ?? { outcome: 'unknown', turns: null };
    this.record = this.record.with([unmarked(turn, from.toMove, before)]);
    this.record = this.record.goTo(this.record.at + 1);
    await Promise.all([this.load(), this.learn(this.record.hereId, from, turn.turn)]);
  }

  /** Asks what is to be said about a turn that was made. */
  private async learn(id: number, from: Place, turn: string): Promise<void> {
    await this.during(async () => {
      const [made] = await annotated(this.game, from, [turn]);
      if (made) this.record = this.record.withKnown(id, made);
    });
  }

  /** Adds turns, and a best line after them, to the position that is shown; says how many were added. */
  async addBestLine(turns: string[] = []): Promise<number> {
    const { here, record } = this;
    let added = 0;
    await this.during(async () => {
      const made = await bestLine(this.game, here, turns);
      if (this.record !== record) return;
      this.record = record.with(made);
      added = made.length;
    });
    return added;
  }

  /** Marks on the board what a turn would do. */
  async preview(turn: TurnValue | null): Promise<void> {
    if (!turn) {
      this.marks = [];
      return;
    }
    const { here, entry } = this;
    try {
      const query = { position: here.position, to_move: here.toMove, turn: turn.turn };
      const { marks } = await api.view(this.game, query);
      // What is made already needs no mark.
      if (samePlace(this.here, here) && this.entry === entry) this.marks = marks.slice(entry.begun.length);
    } catch {
      // Only a preview.
    }
  }
}
