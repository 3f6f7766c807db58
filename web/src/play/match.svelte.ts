// A game against an opponent: whose side he plays, and his answers.

import type { Seat } from '../api/types';
import { opponentOf } from '../values/verdicts';
import { chooseTurn } from './opponent';
import type { Opponent } from './opponents';
import { samePlace } from '../values/places';
import type { Session } from './session.svelte';

/** How long the opponent seems to think. */
const THINKING = 450;

const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

export class Match {
  private readonly session: Session;
  /** Null: one person makes all turns. */
  opponent = $state.raw<Opponent | null>(null);
  you = $state<Seat>('first');
  thinking = $state(false);
  /** Whether the person at the page has given up. */
  resigned = $state(false);

  constructor(session: Session, opponent: Opponent | null = null, you: Seat = 'first') {
    this.session = session;
    this.opponent = opponent;
    this.you = you;
  }

  /** The side of the opponent. */
  get his(): Seat | null {
    return this.opponent && opponentOf(this.you);
  }

  get over(): boolean {
    return this.resigned || (this.session.over && this.session.record.atEnd);
  }

  /** Whether the opponent is to make a turn: where the game has come to its end, not where it is looked back at. */
  get due(): boolean {
    const { record, probe, moving, error } = this.session;
    const ready = !moving && error === '';
    return ready && !this.over && probe !== null && this.his === probe.to_move && record.atEnd;
  }

  /** Goes on against an opponent from the position that is shown. */
  playOn(opponent: Opponent, you: Seat): void {
    this.opponent = opponent;
    this.you = you;
    this.resigned = false;
  }

  /** Begins a new game. */
  async begin(opponent: Opponent | null, you: Seat): Promise<void> {
    this.opponent = opponent;
    this.you = you;
    this.resigned = false;
    await this.session.restart();
  }

  /** Gives up; the game can still be looked at and gone on with. */
  resign(): void {
    this.resigned = true;
  }

  /** Makes the turn of the opponent. */
  async answer(): Promise<void> {
    const { session, opponent } = this;
    const { probe, here } = session;
    if (this.thinking || !probe || !opponent) return;
    this.thinking = true;
    try {
      const [turn] = await Promise.all([chooseTurn(session.game, probe, opponent), wait(THINKING)]);
      const still = this.due && this.opponent === opponent && samePlace(session.here, here);
      if (turn && still) await session.play(turn);
    } catch {
      session.error = 'The opponent could not find a turn.';
    } finally {
      this.thinking = false;
    }
  }
}
