// A game against an opponent, from its first position to its result. Without an opponent, the visitor explores the game.

import { SvelteMap } from 'svelte/reactivity';
import type { Seat } from '../api/types';
import type { Ending } from '../values/endings';
import { samePlace } from '../values/places';
import { opponentOf } from '../values/verdicts';
import { chooseTurn } from './opponent';
import type { Opponent } from './opponents';
import type { Session } from './session.svelte';
import type { TreeNode } from './tree';

/** How long the opponent pretends to think, in milliseconds. */
const THINKING = 450;

/** A draw is offered when a position occurs for this time. */
const REPETITIONS = 3;
/** A draw is offered after this number of turns that kept it, and again after each half of it. */
const LONG_DRAW = 40;

const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

export class Match {
  private readonly session: Session;
  /** Null if the visitor explores. */
  readonly opponent: Opponent | null;
  readonly you: Seat;
  thinking = $state(false);
  /** Whether the visitor asked for values before the end. */
  revealed = $state(false);
  /** How played lines ended, by their last nodes. A turn that is played afterwards continues the game. */
  private readonly ends = new SvelteMap<number, Ending>();
  /** The node at which the visitor declined a draw. */
  private declined = $state<number | null>(null);

  constructor(session: Session, opponent: Opponent | null = null, you: Seat = 'first') {
    this.session = session;
    this.opponent = opponent;
    this.you = you;
  }

  /** The opponent's side. */
  get his(): Seat | null {
    return this.opponent && opponentOf(this.you);
  }

  /** How the game ended; null if it has not. */
  get ended(): Ending | null {
    return this.ends.get(this.session.record.lastId) ?? null;
  }

  /** Whether a game against an opponent is in progress. */
  get playing(): boolean {
    return this.opponent !== null && this.ended === null;
  }

  /** Whether the shown position is the one where the game ended. */
  get atEnd(): boolean {
    return this.ended !== null && this.session.record.atEnd;
  }

  /** The winner; null for a draw, or if there is no result. */
  get winner(): Seat | null {
    if (this.ended === 'resigned') return this.his;
    const last = this.session.record.played.at(-1);
    if (this.ended !== 'over' || !last) return null;
    const { outcome } = last.after;
    return outcome === 'win' ? last.player : outcome === 'loss' ? opponentOf(last.player) : null;
  }

  /** The turns that the visitor played; those of both sides without an opponent. Turns that the page showed do not
   * count. */
  get own(): TreeNode[] {
    const mine = (seat: Seat | undefined) => this.opponent === null || seat === this.you;
    return this.session.record.playedLine.filter(({ demo, made }) => !demo && mine(made?.player));
  }

  get mistakes(): TreeNode[] {
    return this.own.filter(({ made }) => made?.mark === '?' || made?.mark === '?!');
  }

  /** Whether the opponent could play in the shown position. */
  private get canReply(): boolean {
    const { probe, moving, error, over } = this.session;
    const ready = this.playing && !moving && error === '' && !over && !this.offer;
    return ready && probe !== null && this.his === probe.to_move;
  }

  /** Whether the game has come to the shown position; otherwise the visitor looks back at it. */
  private get here(): boolean {
    const { record, playedTo } = this.session;
    return record.atEnd || record.hereId === playedTo;
  }

  /** Whether it is the opponent's turn. */
  get due(): boolean {
    return this.canReply && this.here;
  }

  /** Whether the opponent plays in the shown position only if it is asked. */
  get askable(): boolean {
    return this.canReply && !this.here;
  }

  /** Asks the opponent to play in the shown position. */
  ask(): void {
    this.session.playedTo = this.session.record.hereId;
  }

  /** Why a draw is offered here; empty if it is not. */
  get offer(): string {
    const { record, current, over } = this.session;
    if (!this.playing || !current || over || !record.atEnd || record.hereId === this.declined) return '';
    const times = record.timesHere;
    if (times >= REPETITIONS)
      return `This position has come up ${times === REPETITIONS ? 'three' : times} times.`;
    const { played } = record;
    const kept = played.length - 1 - played.findLastIndex(({ after }) => after.outcome !== 'draw');
    const long = kept >= LONG_DRAW && kept % (LONG_DRAW / 2) === 0;
    return long ? `Neither side has made progress in ${kept} turns.` : '';
  }

  /** The place in the line that taking back leads to, against an opponent that of your own last turn; null if there is
   * none. */
  get earlier(): number | null {
    const { turns, at } = this.session.record;
    const own = turns
      .slice(0, at)
      .findLastIndex(({ player }) => this.opponent === null || player === this.you);
    return own < 0 ? null : own;
  }

  /** Whether the board waits for the opponent, who thinks or has offered a draw. */
  get waiting(): boolean {
    return this.thinking || (this.offer !== '' && this.session.view?.to_move === this.his);
  }

  decline(): void {
    this.declined = this.session.record.hereId;
  }

  /** Ends the game at its last position. */
  end(how: Ending): void {
    const { session } = this;
    const { record } = session;
    if (this.opponent === null) return;
    this.ends.set(record.lastId, how);
    if (!record.atEnd && how === 'resigned') void session.change(record.visit(record.lastId));
  }

  /** Takes back resigning or the agreement to a draw. */
  undoEnd(): void {
    this.ends.delete(this.session.record.lastId);
    this.decline();
  }

  /** Plays the opponent's turn. */
  async answer(): Promise<void> {
    const { session, opponent } = this;
    const { probe, here } = session;
    if (this.thinking || !probe || !opponent) return;
    this.thinking = true;
    try {
      const [turn] = await Promise.all([chooseTurn(session.game, probe, opponent), wait(THINKING)]);
      if (turn && this.due && samePlace(session.here, here)) await session.play(turn);
    } catch (error) {
      if (samePlace(session.here, here)) session.fail(error);
    } finally {
      this.thinking = false;
    }
  }
}
