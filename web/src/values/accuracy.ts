// How well a player has played.

import type { PlayedTurn, Seat } from '../api/types';

export interface Accuracy {
  /** The number of turns with known values. */
  known: number;
  /** How many of them kept the outcome. */
  kept: number;
  /** How many of them were best. */
  best: number;
  /** The number of missed wins. */
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
