// Requests turns and their values from the backend.

import { api } from '../api/api';
import { ApiError, statusOf } from '../api/backend';
import type { Coordinates, PlayedTurn, Seat, TurnValue, Verdict } from '../api/types';
import { placeAfter, type Place } from '../values/places';

/** A turn, the position that it leads to, and its value. */
export type KnownTurn = Pick<TurnValue, 'turn' | 'turn_on_board' | 'position' | 'outcome' | 'turns'>;

/** A played turn without a comment yet. */
export function unmarked(
  { turn, turn_on_board, position, outcome, turns }: KnownTurn,
  player: Seat,
  { outcome: was, turns: left }: Verdict,
): PlayedTurn {
  return {
    turn,
    turn_on_board,
    player,
    position,
    before: { outcome: was, turns: left },
    after: { outcome, turns },
    mark: '',
    better: null,
    better_on_board: null,
    better_value: null,
    comment: '',
  };
}

/** The HTTP statuses of a server that is too busy or too slow, and of a request with too many turns. */
const TOO_MUCH = [503, 413];

/** The HTTP status of a turn that is not legal. */
const ILLEGAL = 400;

/** Turns played from a place, with values and marks. */
export async function annotated(
  game: string,
  from: Place,
  turns: string[],
  coordinates: Coordinates = 'mover',
): Promise<PlayedTurn[]> {
  try {
    const played = { position: from.position, to_move: from.toMove, turns, coordinates };
    return (await api.annotate(game, played)).turns;
  } catch (error) {
    // Values of large games take time, and a request has at most 500 turns, so the turns are requested in two halves.
    if (!TOO_MUCH.includes(statusOf(error) ?? 0) || turns.length < 2) throw error;
  }
  if (coordinates !== 'either') return inHalves(game, from, turns, coordinates);
  // Both halves have the same coordinates.
  return inHalves(game, from, turns, 'board').catch((error: unknown) => {
    if (statusOf(error) !== ILLEGAL) throw error;
    return inHalves(game, from, turns, 'mover').catch(() => {
      throw error;
    });
  });
}

/** Turns of which each may be a line with several turns. */
async function inHalves(
  game: string,
  from: Place,
  turns: string[],
  coordinates: Coordinates,
): Promise<PlayedTurn[]> {
  const half = Math.ceil(turns.length / 2);
  const first = await annotated(game, from, turns.slice(0, half), coordinates);
  const last = first.at(-1);
  const then = last ? placeAfter(last) : from;
  try {
    return [...first, ...(await annotated(game, then, turns.slice(half), coordinates))];
  } catch (error) {
    // Errors number the turns of the request.
    if (error instanceof ApiError)
      error.message = error.message.replace(
        /^turn (\d+)/,
        (_, number) => `turn ${Number(number) + first.length}`,
      );
    throw error;
  }
}

const MAX_LINE = 100;

/** Turns, followed by a best line. */
export async function bestLine(
  game: string,
  from: Place,
  turns: string[] = [],
  limit = MAX_LINE,
): Promise<PlayedTurn[]> {
  const made = turns.length > 0 ? await annotated(game, from, turns) : [];
  const last = made.at(-1);
  const { position, toMove } = last ? placeAfter(last) : from;
  const { line, end } = await api.line(game, { position, to_move: toMove, limit });
  const best = line.map((step, number) => {
    const after = line[number + 1]?.position ?? end;
    return unmarked({ ...step, position: after }, step.to_move, step);
  });
  return [...made, ...best];
}
