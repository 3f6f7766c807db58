// A game for tests of a session. Its positions are the turns so far, such as ".ab"; the turns of each are a and b.

import { useBackend } from '../src/api/api';
import type { Backend, Query } from '../src/api/backend';
import type { PlayedGame, Seat, StepValue, TurnValue, Verdict } from '../src/api/types';
import { compareVerdicts } from '../src/values/verdicts';
import { played, turn, verdict, view } from './made';

export const START = '.';

export class MadeGame implements Backend {
  readonly standalone = false;
  readonly served = true;
  /** The values of turns by the positions that they lead to; other turns draw. */
  values: Record<string, string> = {};
  /** The positions where the game is over. */
  ends: string[] = [];
  /** Called before each answer with what is asked, such as "view"; it may delay or reject. */
  before: (what: string) => Promise<void> | void = () => {};
  /** The side to move in a position. */
  mover = (position: string): Seat => (position.length % 2 === 1 ? 'first' : 'second');

  /** Uses a new game as the page's backend. */
  static use(): MadeGame {
    const game = new MadeGame();
    useBackend(game);
    return game;
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    const [, , what = 'game'] = path.split('/');
    await this.before(what);
    return this.answer(what, String(query.position ?? START), query) as T;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    await this.before(path.split('/')[2] ?? '');
    return { turns: this.annotated(body as PlayedGame) } as T;
  }

  link(): null {
    return null;
  }

  private turns(position: string): TurnValue[] {
    if (this.ends.includes(position)) return [];
    const turns = ['a', 'b'].map((name) => {
      const next = position + name;
      return { ...turn(name, this.values[next] ?? 'draw'), position: next };
    });
    return turns.sort(compareVerdicts);
  }

  private valueOf(position: string): Verdict {
    const { outcome, turns } = this.turns(position)[0] ?? verdict('loss 0');
    return { outcome, turns };
  }

  private annotated({ position, turns }: PlayedGame) {
    let from = position ?? START;
    return turns.map((name) => {
      const made = this.turns(from).find(({ turn }) => turn === name)!;
      const one = { ...played(name, this.mover(from), 'draw', 'draw'), before: this.valueOf(from) };
      from = made.position;
      return { ...one, position: from, after: { outcome: made.outcome, turns: made.turns } };
    });
  }

  private answer(what: string, position: string, query: Query): unknown {
    const to_move = this.mover(position);
    const over = this.ends.includes(position) ? 'loss' : null;
    const asked = { position, to_move, ...this.valueOf(position), source: 'table' };
    switch (what) {
      case 'game':
        return { about: { game: 'made', start: START }, table: true, known: null };
      case 'view':
        return {
          ...view('..', [], { position, to_move }),
          over,
          marks: query.turn ? [{ kind: query.turn }] : [],
        };
      case 'positions':
        return { ...asked, turns_available: this.turns(position) };
      case 'steps':
        return { ...asked, parts: [], steps_available: this.turns(position).map(stepOf) };
      case 'line':
        return this.line(position, Number(query.limit));
      default:
        throw new Error(`nothing answers ${what}`);
    }
  }

  private line(from: string, limit: number) {
    const line = [];
    let position = from;
    for (let best = this.turns(position)[0]; best && line.length < limit; best = this.turns(position)[0]) {
      line.push({ ...best, position, to_move: this.mover(position) });
      position = best.position;
    }
    return { line, end: position };
  }
}

/** A turn as a step that names no square. */
export const stepOf = (turn: TurnValue): StepValue => ({
  step: turn.turn,
  kind: 'step',
  ends: true,
  squares: [],
  any_order: false,
  ...turn,
});
