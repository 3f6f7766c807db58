// Turns with their values, as the backend knows them.

import { api } from '../api/api';
import { ApiError } from '../api/backend';
import type { PlayedTurn } from '../api/types';
import { placeAfter, type Place } from './record';

/** The status of a server that is too busy or was too slow. */
const NOT_IN_TIME = 503;

/** Turns that were made from a place, with values and marks. */
export async function annotated(game: string, from: Place, turns: string[]): Promise<PlayedTurn[]> {
  try {
    const played = { position: from.position, to_move: from.toMove, turns };
    return (await api.annotate(game, played)).turns;
  } catch (error) {
    // Values of large games take their time: half of the turns at once are easier.
    if (!(error instanceof ApiError) || error.status !== NOT_IN_TIME || turns.length < 2) throw error;
    const half = Math.ceil(turns.length / 2);
    const first = await annotated(game, from, turns.slice(0, half));
    const last = first.at(-1);
    if (!last) return first;
    return [...first, ...(await annotated(game, placeAfter(last), turns.slice(first.length)))];
  }
}

const LONGEST_LINE = 100;

/** The turns of one best line. */
export async function bestLine(game: string, { position, toMove }: Place): Promise<PlayedTurn[]> {
  const { line, end } = await api.line(game, { position, to_move: toMove, limit: LONGEST_LINE });
  return line.map((step, number) => {
    const { turn, turn_on_board, outcome, turns } = step;
    const value = { outcome, turns };
    return {
      turn,
      turn_on_board,
      player: step.to_move,
      position: line[number + 1]?.position ?? end,
      before: value,
      after: value,
      mark: '',
      better: null,
      better_on_board: null,
      better_value: null,
      comment: '',
    };
  });
}
