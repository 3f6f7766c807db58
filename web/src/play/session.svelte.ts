// A game on the page: its tree of turns, and the shown position with its values. Requests are sent from here and from
// the turn in progress; the tree and the entry only hold state.

import { api } from '../api/api';
import { statusOf } from '../api/backend';
import { fullName } from '../api/guest-name';
import type { GameAnswer, Mark, Probe, Seat, StepValue, Steps, TurnValue, Verdict, View } from '../api/types';
import type { ShownTurn } from '../board/motion';
import type { WrittenTurn } from '../navigation/written-turns';
import type { TurnEntry } from '../turn-entry/turn-entry';
import { errorText, titleOf } from '../words/games';
import { readGame } from '../words/records';
import { samePlace, type Place } from '../values/places';
import { ComingTurns } from './coming-turns.svelte';
import type { Shown } from './shown';
import { reportEarly } from './early-report';
import { GameTree } from './tree';
import { grownTree } from './tree-text';
import { TurnInProgress } from './turn-in-progress.svelte';
import { annotated, bestLine, unmarked, type KnownTurn } from './turns';

/** The first step of a turn to animate; the last one always is. */
const unseen = (turn: View, seen: number): number => Math.max(0, Math.min(seen, turn.motions.length - 1));

export class Session {
  readonly game: string;
  about = $state.raw<GameAnswer | null>(null);
  record = $state.raw(GameTree.begin({ position: '', toMove: 'first' }));
  /** The position whose answers arrived last; it lags behind the record while requests are pending. */
  shown = $state.raw<Shown | null>(null);
  /** The parts of a turn of this game, such as two moves and a push; empty if a turn is one step. */
  parts = $state.raw<string[]>([]);
  /** The marks of a preview. */
  marks = $state.raw<Mark[]>([]);
  /** The error of the last request; empty if it succeeded. */
  error = $state('');
  /** The HTTP status of the error, if any. */
  errorStatus = $state<number | null>(null);
  /** Whether a turn is being animated. */
  moving = $state(false);
  /** The number of pending requests. */
  private waiting = $state(0);

  /** The arguments of `open` until the game is open. */
  private opening: Parameters<Session['open']> | null = null;

  /** Counts changes of what is shown, so that answers to outdated requests are dropped. */
  private request = 0;

  /** The turn in progress. */
  private readonly turn: TurnInProgress;

  /** The turns of the shown position while their values load. */
  private readonly coming: ComingTurns;

  constructor(game: string) {
    this.game = game;
    this.coming = new ComingTurns(game);
    this.turn = new TurnInProgress(
      game,
      (work, wanted) => {
        this.noError();
        return this.during(work, wanted);
      },
      (probe) => (probe ? this.coming.list(probe, probe.turns_available) : this.coming.clear()),
      (turn) => this.play(turn),
    );
  }

  /** The squares that may be touched, each with the best value it can lead to. */
  readonly candidates = $derived(this.entry.candidates());
  readonly advice = $derived(this.over ? '' : this.entry.advice());
  /** The board with the steps made so far. */
  readonly board = $derived(this.view && this.entry.board(this.view));

  // Getters, not deriveds: answers may arrive after the screen that created the session is gone.
  get entry(): TurnEntry {
    return this.turn.entry;
  }

  /** Why the last touch or command did nothing; empty if it worked. */
  get refusal(): string {
    return this.turn.refusal;
  }

  /** The animation to show: a step of the turn in progress, else the turn that led here. */
  get motion(): ShownTurn | null {
    const { motion } = this.turn;
    return motion === undefined ? (this.shown?.motion ?? null) : motion;
  }

  get loading(): boolean {
    return this.waiting > 0;
  }

  get here(): Place {
    return this.record.here;
  }

  /** Whether the shown position is the one that the record has come to. */
  get current(): boolean {
    return this.shown !== null && samePlace(this.shown.place, this.here);
  }

  /** Whether the board still shows another position, because this one could not be loaded. */
  get behind(): boolean {
    return this.shown !== null && !this.current && this.error !== '' && !this.loading;
  }

  get view(): View | null {
    return this.shown?.view ?? null;
  }

  /** The side to move. In some games a player can move several times in a row, so only the position shows it; until it
   * is loaded, this is the side that usually moves. */
  get toMove(): Seat {
    return this.current && this.view ? this.view.to_move : this.here.toMove;
  }

  /** The values of the position; null until they are loaded. */
  get probe(): Probe | null {
    return this.current ? (this.shown?.probe ?? null) : null;
  }

  /** The value of the position, also a published one of the start without a table; null until it is loaded. */
  get verdict(): Verdict | null {
    const { here, about } = this;
    const early = this.shown && samePlace(this.shown.place, here) ? (this.shown.verdict ?? null) : null;
    const probe = this.probe ?? early;
    const begins = here.toMove === 'first' && here.position === about?.about.start;
    if (!probe || !begins || !about?.known) return probe;
    const says =
      probe.outcome === 'unknown' || (probe.turns === null && probe.outcome === about.known.outcome);
    return says ? about.known : probe;
  }

  /** The turns that can still be made, best first; null until they are loaded. */
  get turns(): TurnValue[] | null {
    const turns = this.entry.begun.length > 0 ? this.turn.turns : (this.probe?.turns_available ?? null);
    const left = this.entry.positionsLeft();
    return turns && left ? turns.filter(({ position }) => left.has(position)) : turns;
  }

  /** The turns whose values are loading, with the values that are known already; null if there are none. */
  get turnsComing(): TurnValue[] | null {
    const turns = this.turns === null ? this.coming.turns : null;
    const left = this.entry.positionsLeft();
    return turns && left ? turns.filter(({ position }) => left.has(position)) : turns;
  }

  /** Whether the values of the possible steps are loaded. */
  get valued(): boolean {
    return this.turn.valued;
  }

  /** The number of turns; null until it is known. */
  get turnCount(): number | null {
    const { turns, probe } = this;
    const whole = turns && turns === probe?.turns_available ? probe.page?.count : undefined;
    return whole ?? (turns ?? this.turnsComing)?.length ?? null;
  }

  /** Whether a limit of the server cut the list of turns short. */
  get turnsCut(): boolean {
    const { probe } = this;
    // The turns that begin with the steps made so far are requested separately.
    if (!probe || this.entry.begun.length > 0) return false;
    return probe.incomplete === true || probe.page?.next !== undefined;
  }

  get over(): boolean {
    return this.view !== null && this.view.over !== null;
  }

  /** Opens the game at a position, with turns from it. Illegal turns are left out and reported. Calls back when the turns
   * are read. */
  async open(
    position: string | null,
    toMove: Seat,
    turns: WrittenTurn[],
    at: number | null,
    opened: () => void = () => {},
  ): Promise<void> {
    const request = ++this.request;
    this.opening = [position, toMove, turns, at, opened];
    this.noError();
    const wanted = () => request === this.request;
    await this.during(async () => {
      const about = await api.game(this.game);
      if (request !== this.request) return;
      this.about = about;
      const query = { position: position ?? about.about.start, to_move: toMove };
      const start: Place = { position: (await api.view(this.game, query)).position, toMove };
      const { tree, bad } = await grownTree(this.game, start, turns, at);
      if (request !== this.request) return;
      this.opening = null;
      this.record = tree;
      opened();
      await this.load();
      if (bad.length > 0)
        this.error = bad.map(({ turn, reason }) => `Ignored “${turn}” in the address: ${reason}.`).join(' ');
    }, wanted);
  }

  /** Replaces this game with one read from a record; returns the replaced one. */
  async read(text: string): Promise<GameTree> {
    const { game, coordinates, position, toMove, turns } = readGame(text);
    const ours = fullName(this.game);
    if (game !== null && ours !== null && fullName(game) !== ours)
      throw new Error(`This is a game of ${titleOf(game)}: open it there.`);
    const { position: begins } = await api.view(this.game, {
      position: position ?? this.about?.about.start,
      to_move: toMove,
    });
    const start: Place = { position: begins, toMove };
    const made = await annotated(this.game, start, turns, coordinates);
    const { record } = this;
    void this.change(GameTree.begin(start).with(made).goTo(made.length));
    return record;
  }

  /** Repeats the request that failed. */
  async again(): Promise<void> {
    if (this.opening) {
      await this.open(...this.opening);
      return;
    }
    if (!(await this.turn.again())) await this.load();
    const { turns } = this.record;
    for (const [number, { turn, before }] of turns.entries()) {
      if (this.error) return;
      if (before.outcome === 'unknown')
        await this.learn(this.record.idAt(number + 1), this.record.placeAt(number), turn);
    }
  }

  /** Starts over. */
  async restart(): Promise<void> {
    if (!this.about) return;
    await this.change(GameTree.begin({ position: this.about.about.start, toMove: 'first' }));
  }

  /** Shows the position after the first `at` turns of the line. */
  async show(at: number): Promise<void> {
    await this.change(this.record.goTo(at));
  }

  /** Shows another node of the tree, or another tree. */
  async change(record: GameTree): Promise<void> {
    this.opening = null;
    this.record = record;
    await this.load();
  }

  /** Runs requests and shows their errors, unless their answers are no longer wanted. */
  private async during(work: () => Promise<unknown>, wanted: () => boolean = () => true): Promise<void> {
    this.waiting++;
    try {
      await work();
    } catch (error) {
      if (wanted()) this.fail(error);
    } finally {
      this.waiting--;
    }
  }

  private noError(): void {
    this.error = '';
    this.errorStatus = null;
  }

  fail(error: unknown): void {
    this.error = errorText(error);
    this.errorStatus = statusOf(error);
  }

  private async load(): Promise<void> {
    const request = ++this.request;
    const place = this.here;
    const query = { position: place.position, to_move: place.toMove };
    const wanted = () => request === this.request;
    const current = <T>(take: (answer: T) => void) => {
      return (answer: T) => {
        if (wanted()) take(answer);
      };
    };
    // Steps that the player made on the board have been shown already.
    const seen = this.entry.begun.length;
    this.noError();
    this.turn.clear();
    this.coming.clear();
    this.marks = [];
    await this.during(async () => {
      const shown = Promise.all([api.view(this.game, query), this.lastTurn()]).then(
        current(([view, turn]: [View, View | null]) => {
          const motion = turn && this.stepsOn() ? { key: request, turn, from: unseen(turn, seen) } : null;
          this.moving = motion !== null;
          this.shown = { place, view, probe: null, last: turn?.marks ?? [], motion };
        }),
      );
      // The value of the position needs fewer blocks of a table than the values of all turns.
      if (api.isRemote(this.game))
        Promise.all([api.probe(this.game, { ...query, limit: 0 }), shown])
          .then(current(([verdict]) => (this.shown = this.shown && { ...this.shown, verdict })))
          .catch(() => {});
      const values = api.probe(this.game, query);
      const probe = Promise.all([values, shown]);
      // Steps need the same blocks of a table, so with remote values they are requested afterwards.
      const first = api.isRemote(this.game) ? values : null;
      const steps = Promise.all([Promise.resolve(first).then(() => api.steps(this.game, query)), shown]);
      shown.then(
        current(() => {
          const { view } = this;
          // There are thousands of placements, too many to choose from a list.
          if (!view || view.to_place.length > 0) return;
          const tell = current(({ steps, probe }: { steps: Steps; probe: Probe }) => {
            if (steps.parts.length > 0) this.parts = steps.parts;
            this.turn.begin(place, view, steps.steps_available, false);
            this.coming.list(query, probe.turns_available);
          });
          void reportEarly(this.game, query, probe, tell);
        }),
        () => {},
      );
      await Promise.all([
        steps.then(
          current(([{ steps_available, parts }]) => {
            // A finished position has none; the words for the last turn still need them.
            if (parts.length > 0) this.parts = parts;
            if (this.view) this.turn.value(place, this.view, steps_available);
          }),
        ),
        probe.then(current(([probe]) => (this.shown = this.shown && { ...this.shown, probe }))),
      ]);
    }, wanted);
  }

  /** The position before the turn that led here, with that turn; null if there is none or it cannot be shown. */
  private async lastTurn(): Promise<View | null> {
    const { last, at } = this.record;
    if (!last) return null;
    const { position, toMove } = this.record.placeAt(at - 1);
    return api.view(this.game, { position, to_move: toMove, turn: last.turn }).catch(() => null);
  }

  /** Whether the record is one turn ahead of what is shown. */
  private stepsOn(): boolean {
    const { at } = this.record;
    return at > 0 && this.shown !== null && samePlace(this.shown.place, this.record.placeAt(at - 1));
  }

  /** Shows why something cannot be done. */
  refuse(reason: string): void {
    this.turn.refusal = reason;
  }

  /** Handles a touch of a square; returns whether that completed a turn, which is then played. */
  touch(square: string): Promise<boolean> {
    this.marks = [];
    return this.turn.touch(square);
  }

  /** Makes a step that names no square; returns whether that completed a turn, which is then played. */
  choose(step: StepValue): Promise<boolean> {
    this.marks = [];
    return this.turn.choose(step);
  }

  /** Whether there is a touched square or a step to take back. */
  get canTakeBack(): boolean {
    return this.turn.canTakeBack;
  }

  /** Takes back the last touched square or step; returns false if there is none. */
  takeBack(): boolean {
    return this.turn.takeBack();
  }

  /** The node of the turn that was played last. After a turn that was taken back, it may have later turns already. */
  playedTo = $state(-1);

  /** Plays a turn whose outcome is known; its marks and comment are loaded later. */
  async play(turn: KnownTurn): Promise<void> {
    const from = this.here;
    // Without a comment, the turn has no mark either, so the report must not count it as a good one.
    const before: Verdict = { outcome: 'unknown', turns: null };
    this.record = this.record.with([unmarked(turn, this.toMove, before)]);
    this.record = this.record.goTo(this.record.at + 1);
    this.playedTo = this.record.hereId;
    await Promise.all([this.load(), this.learn(this.record.hereId, from, turn.turn)]);
  }

  /** Requests the comment on a turn. */
  private async learn(id: number, from: Place, turn: string): Promise<void> {
    await this.during(async () => {
      const [made] = await annotated(this.game, from, [turn]);
      if (made) this.record = this.record.withKnown(id, made);
    });
  }

  /** Adds turns and then a best line to the shown position, as turns that were not played; returns their number. */
  async addBestLine(turns: string[] = [], limit?: number): Promise<number> {
    const { here } = this;
    const { hereId } = this.record;
    // The comment on the last turn may change the tree in the meantime. All trees start with the same number.
    const wanted = () => this.record.hereId === hereId && samePlace(this.here, here);
    let added = 0;
    await this.during(async () => {
      const made = await bestLine(this.game, here, turns, limit);
      if (!wanted()) return;
      this.record = this.record.with(made, true);
      added = made.length;
    }, wanted);
    return added;
  }

  /** Previews a turn on the board, and requests its value first if it is not loaded. */
  async look(turn: TurnValue | null): Promise<void> {
    if (turn && this.turnsComing) void this.coming.look(turn);
    await this.preview(turn);
  }

  /** Marks on the board what a turn does. */
  async preview(turn: TurnValue | null): Promise<void> {
    if (!turn) {
      this.marks = [];
      return;
    }
    const { here, entry } = this;
    try {
      const query = { position: here.position, to_move: here.toMove, turn: turn.turn };
      const { marks } = await api.view(this.game, query);
      // Steps that were already made are not marked.
      if (samePlace(this.here, here) && this.entry === entry) this.marks = marks.slice(entry.begun.length);
    } catch {
      // A preview may fail silently.
    }
  }
}
