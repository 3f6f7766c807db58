// Players and pieces in words.

import type { Piece, Seat } from '../api/types';

/** Red moves first in every game. */
export const playerName = (seat: Seat): string => (seat === 'first' ? 'Red' : 'Blue');

/** A piece in words: "Red pusher with the anchor". */
export function pieceText(piece: Piece): string {
  const owner = piece.owner ? `${playerName(piece.owner)} ` : '';
  return `${owner}${piece.name}${piece.anchored ? ' with the anchor' : ''}`;
}
