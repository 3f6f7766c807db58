// A game against an opponent: the sides and the opponent's turns.

import type { Seat } from '../api/types';
import { opponentOf } from '../values/verdicts';
import { chooseTurn } from './opponent';
import type { Opponent } from './opponents';
import { samePlace } from '../values/places';
import type { Session } from './session.svelte';

/** How long the opponent pretends to think, in milliseconds. */
const THINKING = 450;

const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

export class Match {
  private readonly session: Session;
  /** Null if the visitor plays both sides. */
  opponent = $state.raw<Opponent | null>(null);
  you = $state<Seat>('first');
  thinking = $state(false);
  /** Whether the visitor has resigned. */
  resigned = $state(false);

  constructor(session: Session, opponent: Opponent | null = null, you: Seat = 'first') {
    this.session = session;
    this.opponent = opponent;
    this.you = you;
  }

  /** The opponent's side. */
  get his(): Seat | null {
    return this.opponent && opponentOf(this.you);
  }

  get over(): boolean {
    return this.resigned || (this.session.over && this.session.record.atEnd);
  }

  /** Whether it is the opponent's turn. Looking back at earlier positions does not count. */
  get due(): boolean {
    const { record, probe, moving, error } = this.session;
    const ready = !moving && error === '';
    return ready && !this.over && probe !== null && this.his === probe.to_move && record.atEnd;
  }

  /** Continues from the shown position against an opponent. */
  playOn(opponent: Opponent, you: Seat): void {
    const { record } = this.session;
    if (record.node(record.hereId).demo) this.session.record = record.asPlayed();
    this.opponent = opponent;
    this.you = you;
    this.resigned = false;
  }

  /** Starts a new game. */
  async begin(opponent: Opponent | null, you: Seat): Promise<void> {
    this.opponent = opponent;
    this.you = you;
    this.resigned = false;
    await this.session.restart();
  }

  /** Resigns; the game can still be reviewed and continued. */
  resign(): void {
    this.resigned = true;
  }

  /** Plays the opponent's turn. */
  async answer(): Promise<void> {
    const { session, opponent } = this;
    const { probe, here } = session;
    if (this.thinking || !probe || !opponent) return;
    this.thinking = true;
    try {
      const [turn] = await Promise.all([chooseTurn(session.game, probe, opponent), wait(THINKING)]);
      const still = this.due && this.opponent === opponent && samePlace(session.here, here);
      if (turn && still) await session.play(turn);
    } catch (error) {
      session.fail(error);
    } finally {
      this.thinking = false;
    }
  }
}
