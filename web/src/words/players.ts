// Players and pieces in words.

import type { Piece, Seat } from '../api/types';

/** Red and Blue where pieces have these colours, else first and second player. */
export function playerName(palette: Piece[], seat: Seat): string {
  if (palette.some((piece) => piece.owner === seat)) return seat === 'first' ? 'Red' : 'Blue';
  return seat === 'first' ? 'The first player' : 'The second player';
}

/** A piece in words: "Red pusher with the anchor". */
export function pieceText(palette: Piece[], piece: Piece): string {
  const owner = piece.owner ? `${playerName(palette, piece.owner)} ` : '';
  return `${owner}${piece.name}${piece.anchored ? ' with the anchor' : ''}`;
}
