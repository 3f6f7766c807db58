// A game so far: where it began, the turns with their values, and the position that is shown. A record
// never changes: every turn and every jump gives a new one.

import type { PlayedTurn, Seat } from '../api/types';
import { opponentOf } from '../values/verdicts';

/** A position and who is to move in it. */
export interface Place {
  position: string;
  toMove: Seat;
}

export const placeAfter = (turn: PlayedTurn): Place => ({
  position: turn.position,
  toMove: opponentOf(turn.player),
});

export class GameRecord {
  readonly start: Place;
  readonly turns: PlayedTurn[];
  /** How many of the turns are made in the position that is shown. */
  readonly at: number;

  constructor(start: Place, turns: PlayedTurn[] = [], at = turns.length) {
    this.start = start;
    this.turns = turns;
    this.at = Math.max(0, Math.min(at, turns.length));
  }

  /** The position that is shown. */
  get here(): Place {
    const last = this.turns[this.at - 1];
    return last ? placeAfter(last) : this.start;
  }

  get atEnd(): boolean {
    return this.at === this.turns.length;
  }

  goTo(at: number): GameRecord {
    return new GameRecord(this.start, this.turns, at);
  }

  /** With turns made from the position that is shown, which stays; later turns are forgotten. */
  with(made: PlayedTurn[]): GameRecord {
    return new GameRecord(this.start, [...this.turns.slice(0, this.at), ...made], this.at);
  }
}
