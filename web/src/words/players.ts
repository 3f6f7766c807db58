// Players and pieces in words.

import type { Piece, Seat } from '../api/types';
import { opponentOf } from '../values/verdicts';

/** Red moves first in every game. */
export const playerName = (seat: Seat): string => (seat === 'first' ? 'Red' : 'Blue');

/** Replaces the letters of pieces by their owners, if the text says why a position is impossible: "5 pawns `O`" by
 * "5 Blue pawns", "`O` has just moved" by "Blue has just moved", and "2 X or Y" by "2 Blue pushers". Errors about single
 * characters keep the letters, which are in the text that is to be corrected. */
export function withOwners(text: string, palette: readonly Piece[], first: Seat = 'first'): string {
  const [, position = '', reason = ''] = /^(position “[^”]*”: )(.*)$/s.exec(text) ?? [];
  if (reason === '' || /\bexpected\b/.test(reason)) return text;
  const pieceOf = (letter: string) => palette.find((piece) => piece.letter === letter && piece.owner);
  const ownerOf = ({ owner }: Piece) => playerName(owner === 'first' ? first : opponentOf(first));
  const counted = (all: string, count: string, letter: string) => {
    const piece = pieceOf(letter);
    if (!piece) return all;
    return `${count === '0' ? 'no' : count} ${ownerOf(piece)} ${piece.name}${count === '1' ? '' : 's'}`;
  };
  const named = (all: string, word: string, letter: string) => {
    const piece = pieceOf(letter);
    if (!piece) return all;
    return word.startsWith(piece.name) ? `${ownerOf(piece)} ${word.trim()}` : `${word}${ownerOf(piece)}`;
  };
  return (
    position +
    reason.replace(/\b(\d+) ([A-Za-z])(?: or [A-Za-z])?\b/g, counted).replace(/((?:\w+ )?)`(.)`/g, named)
  );
}

/** A piece in words: "Red pusher with the anchor". */
export function pieceText(piece: Piece): string {
  const owner = piece.owner ? `${playerName(piece.owner)} ` : '';
  return `${owner}${piece.name}${piece.anchored ? ' with the anchor' : ''}`;
}
