// A position and its side to move.

import type { PlayedTurn, Seat } from '../api/types';
import { opponentOf } from './verdicts';

export interface Place {
  position: string;
  toMove: Seat;
}

export const placeAfter = (turn: PlayedTurn): Place => ({
  position: turn.position,
  toMove: opponentOf(turn.player),
});

export const samePlace = (a: Place, b: Place): boolean => a.position === b.position && a.toMove === b.toMove;
