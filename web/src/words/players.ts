// Players and pieces in words.

import type { Piece, Seat } from '../api/types';

/** Red begins and Blue answers, in every game. */
export const seatName = (seat: Seat): string => (seat === 'first' ? 'Red' : 'Blue');

export const playerName = (_palette: Piece[], seat: Seat): string => seatName(seat);

/** A piece in words: "Red pusher with the anchor". */
export function pieceText(_palette: Piece[], piece: Piece): string {
  const owner = piece.owner ? `${seatName(piece.owner)} ` : '';
  return `${owner}${piece.name}${piece.anchored ? ' with the anchor' : ''}`;
}
