// A game being looked at: the turns so far, the position that is shown with all its values, and the turn that is being
// made square by square. Everything that is known comes from the backend; this is the state between the screens.

import { ask, of, Trouble } from '../api/server';
import { candidates, chosen, isPlacement, optionsOf, placeable, placingOf, squaresIn, type Candidate, type Option, type Placing } from '../turn-entry/step-entry';
import type { Annotation, GameAnswer, Line, Mark, Probe, Seat, Steps, StepValue, TurnValue, Verdict, View } from '../api/types';
import { other, troubleText } from '../values/words';

export interface Begin {
  position: string;
  toMove: Seat;
}

export class Session {
  readonly game: string;
  answer = $state<GameAnswer | null>(null);
  start = $state<Begin>({ position: '', toMove: 'first' });
  /** The turns made, with their values and marks. */
  played = $state.raw<Annotation[]>([]);
  /** How many of them are made in the position that is shown. */
  at = $state(0);

  probe = $state.raw<Probe | null>(null);
  view = $state.raw<View | null>(null);
  /** What was wrong with the last thing that was tried. */
  trouble = $state('');
  loading = $state(true);

  /** Steps of the turn that is being made, and squares of the step. */
  begun = $state.raw<StepValue[]>([]);
  picked = $state.raw<string[]>([]);
  private options = $state.raw<Option[]>([]);
  /** Squares of a placement that were chosen, a list for each kind of piece. */
  placed = $state.raw<string[][]>([[], []]);
  private placings = $state.raw<Placing[]>([]);

  /** What a turn would do, while it is only looked at. */
  marks = $state.raw<Mark[]>([]);

  private request = 0;

  constructor(game: string) {
    this.game = game;
  }

  /** The position that is shown. */
  readonly here = $derived.by<Begin>(() => {
    const last = this.played[this.at - 1];
    return last ? { position: last.position, toMove: other(last.player) } : this.start;
  });
  readonly palette = $derived(this.view?.palette ?? []);
  readonly over = $derived(this.view?.over !== null && this.view !== null);
  readonly placing = $derived(this.placings.length > 0);
  private readonly toPlace = $derived(placeable(this.placings, this.placed));

  /** The squares that may be touched, with what they lead to. */
  readonly candidates = $derived.by<Map<string, Candidate>>(() =>
    this.placing ? this.toPlace.best : candidates(this.options, this.picked),
  );

  /** What the player is to do next, in a few words. */
  readonly advice = $derived.by(() => {
    if (this.over || this.loading) return '';
    if (this.placing) {
      const kind = this.toPlace.kind;
      if (kind < 0) return '';
      const letter = this.placings[0]!.kinds[kind]!.letter;
      const count = this.placings[0]!.kinds[kind]!.squares.length - (this.placed[kind]?.length ?? 0);
      const name = /[OX]/.test(letter) ? 'pusher' : 'pawn';
      return `Place ${count} ${name}${count === 1 ? '' : 's'}: touch a square.`;
    }
    if (this.picked.length > 0) return 'Now the square where it ends.';
    if (this.begun.length > 0) return 'Another move, or the push that ends the turn.';
    return '';
  });

  /** The board as it stands with the steps made so far. */
  readonly board = $derived.by<View | null>(() => {
    const view = this.view;
    if (!view) return null;
    if (this.begun.length === 0 && this.placed.every((squares) => squares.length === 0)) return view;
    const squares = view.squares.map((square) => square && { ...square });
    const find = (name: string | undefined) => squares.find((square) => square?.name === name);
    for (const step of this.begun) {
      const [from, to] = squaresIn(step.step).map(find);
      if (from && to) [to.piece, from.piece] = [from.piece, null];
    }
    this.placed.forEach((names, kind) => {
      const shape = kind === 0 ? 'square' : 'round';
      const piece = view.palette.find((p) => p.shape === shape && p.owner === view.to_move && !p.anchored) ?? null;
      for (const name of names) {
        const square = find(name);
        if (square) square.piece = piece;
      }
    });
    return { ...view, squares };
  });

  /** Opens the game at a position, with turns that were made from it. */
  async open(position: string | null, toMove: Seat, turns: string[], at: number | null): Promise<void> {
    const request = ++this.request;
    this.loading = true;
    this.trouble = '';
    try {
      this.answer = await ask().get<GameAnswer>(of(this.game));
      const begin = await ask().get<View>(of(this.game, 'view'), { position: position ?? this.answer.about.start, to_move: toMove });
      let played: Annotation[] = [];
      let trouble = '';
      if (turns.length > 0) {
        try {
          played = await this.annotate({ position: begin.position, toMove }, turns);
        } catch (error) {
          trouble = troubleText(error);
        }
      }
      if (request !== this.request) return;
      this.start = { position: begin.position, toMove };
      this.played = played;
      await this.show(Math.min(at ?? played.length, played.length));
      if (trouble) this.trouble = trouble;
    } catch (error) {
      if (request !== this.request) return;
      this.trouble = troubleText(error);
      this.loading = false;
    }
  }

  /** Shows the position after so many turns. */
  async show(at: number): Promise<void> {
    this.at = Math.max(0, Math.min(at, this.played.length));
    await this.load();
  }

  private async load(): Promise<void> {
    const request = ++this.request;
    const { position, toMove } = this.here;
    this.loading = true;
    this.trouble = '';
    this.cancel();
    this.options = [];
    this.placings = [];
    try {
      const query = { position, to_move: toMove };
      const [view, steps, probe] = await Promise.all([
        ask().get<View>(of(this.game, 'view'), query),
        ask().get<Steps>(of(this.game, 'steps'), query),
        ask().get<Probe>(of(this.game, 'positions'), query),
      ]);
      if (request !== this.request) return;
      this.view = view;
      this.probe = probe;
      this.take(steps.steps_available, view);
    } catch (error) {
      if (request === this.request) this.trouble = troubleText(error);
    } finally {
      if (request === this.request) this.loading = false;
    }
  }

  private take(steps: StepValue[], view: View): void {
    if (steps.some(isPlacement)) this.placings = steps.map(placingOf);
    else this.options = optionsOf(steps, view);
  }

  /** A square is touched: true if something came of it. */
  async touch(square: string): Promise<boolean> {
    if (this.loading) return false;
    if (this.placing) return this.place(square);
    const picked = [...this.picked, square];
    if (!this.candidates.has(square)) {
      // Another piece instead of the one that was taken up.
      const again = candidates(this.options, []).has(square) && this.picked[0] !== square;
      this.picked = again ? [square] : [];
      return again;
    }
    const { option, open } = chosen(this.options, picked);
    const repeated = this.picked.at(-1) === square ? chosen(this.options, this.picked).option : null;
    if (repeated) await this.step(repeated.step);
    else if (option && !open) await this.step(option.step);
    else this.picked = picked;
    return true;
  }

  private async place(square: string): Promise<boolean> {
    const { kind, best } = this.toPlace;
    const taken = this.placed.findIndex((squares) => squares.includes(square));
    if (taken >= 0) {
      this.placed = this.placed.map((squares) => squares.filter((name) => name !== square));
      return true;
    }
    if (kind < 0 || !best.has(square)) return false;
    this.placed = this.placed.map((squares, number) => (number === kind ? [...squares, square] : squares));
    const whole = placeable(this.placings, this.placed).whole;
    if (whole) await this.play(whole.step.turn);
    return true;
  }

  private async step(step: StepValue): Promise<void> {
    if (step.ends) return this.play(step.turn);
    this.picked = [];
    await this.goOn([...this.begun, step]);
  }

  private async goOn(begun: StepValue[]): Promise<void> {
    const request = ++this.request;
    const { position, toMove } = this.here;
    const moves = begun.map((step) => step.step).join(',');
    this.loading = true;
    try {
      const steps = await ask().get<Steps>(of(this.game, 'steps'), { position, to_move: toMove, moves });
      if (request !== this.request || !this.view) return;
      this.begun = begun;
      this.options = optionsOf(steps.steps_available, this.board ?? this.view);
    } catch (error) {
      if (request === this.request) this.trouble = troubleText(error);
    } finally {
      if (request === this.request) this.loading = false;
    }
  }

  /** Takes back the square that was touched last, or the last step; false if nothing was begun. */
  back(): boolean {
    if (this.picked.length > 0) this.picked = this.picked.slice(0, -1);
    else if (this.placed.some((squares) => squares.length > 0)) {
      const kind = this.placed.findLastIndex((squares) => squares.length > 0);
      this.placed = this.placed.map((squares, number) => (number === kind ? squares.slice(0, -1) : squares));
    } else if (this.begun.length > 0) void this.goOn(this.begun.slice(0, -1));
    else return false;
    return true;
  }

  cancel(): void {
    this.picked = [];
    this.begun = [];
    this.placed = [[], []];
    this.marks = [];
  }

  /** Makes a turn, in its maker's words. What was played after this position before is forgotten. */
  async play(turn: string): Promise<void> {
    const at = this.at;
    const here = this.here;
    this.loading = true;
    try {
      const made = await this.annotate(here, [turn]);
      if (this.at !== at || this.here.position !== here.position) return;
      this.played = [...this.played.slice(0, at), ...made];
      await this.show(at + made.length);
    } catch (error) {
      this.trouble = troubleText(error);
      this.loading = false;
    }
  }

  /** Reads a game that was written down, from where this one began. */
  async import(turns: string[]): Promise<void> {
    this.played = await this.annotate(this.start, turns);
    await this.show(this.played.length);
  }

  private async annotate(from: Begin, turns: string[]): Promise<Annotation[]> {
    const body = { position: from.position, to_move: from.toMove, turns };
    try {
      return (await ask().post<{ turns: Annotation[] }>(of(this.game, 'annotate'), body)).turns;
    } catch (error) {
      // Too much to answer at once: the values of large games take their time.
      if (!(error instanceof Trouble) || error.status !== 503 || turns.length < 2) throw error;
      const half = Math.ceil(turns.length / 2);
      const first = await this.annotate(from, turns.slice(0, half));
      const last = first.at(-1);
      if (!last) return first;
      const rest = await this.annotate({ position: last.position, toMove: other(last.player) }, turns.slice(first.length));
      return [...first, ...rest];
    }
  }

  /** Adds one best line to the turns; says how many turns were added. */
  async best(): Promise<number> {
    const { position, toMove } = this.here;
    const at = this.at;
    const { line, end } = await ask().get<Line>(of(this.game, 'line'), { position, to_move: toMove, limit: 100 });
    const made = line.map((step, number): Annotation => {
      const value = { outcome: step.outcome, turns: step.turns };
      const { turn, turn_on_board, to_move: player } = step;
      const next = line[number + 1]?.position ?? end;
      return { turn, turn_on_board, player, position: next, before: value, after: value, mark: '', better: null };
    });
    if (this.at !== at || this.here.position !== position) return 0;
    this.played = [...this.played.slice(0, at), ...made];
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
      const view = await ask().get<View>(of(this.game, 'view'), { position, to_move: toMove, turn: turn.turn });
      if (this.here.position === position) this.marks = view.marks;
    } catch {
      // Only a preview.
    }
  }

  /** The value of the position that is shown, for the side to move. */
  readonly verdict = $derived.by<Verdict>(() => this.probe ?? { outcome: 'unknown', turns: null });
}
