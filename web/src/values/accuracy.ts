// How well a player has played.

import type { PlayedTurn, Seat } from '../api/types';

export interface Accuracy {
  /** Turns whose value is known. */
  known: number;
  /** Of these, turns that kept the outcome. */
  kept: number;
  /** Turns than which none is better. */
  best: number;
  /** Wins that were given away. */
  missed: number;
}

export function accuracyOf(played: PlayedTurn[], seat: Seat): Accuracy {
  const known = played.filter(
    ({ player, before, after }) =>
      player === seat && before.outcome !== 'unknown' && after.outcome !== 'unknown',
  );
  const count = (wanted: (turn: PlayedTurn) => boolean) => known.filter(wanted).length;
  return {
    known: known.length,
    kept: count((turn) => turn.mark !== '?'),
    best: count((turn) => turn.better === null),
    missed: count((turn) => turn.before.outcome === 'win' && turn.after.outcome !== 'win'),
  };
}
