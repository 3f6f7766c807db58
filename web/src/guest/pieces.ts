// The pieces for the letters of a `.board` file.

import type { Piece } from '../api/types';

const piece = (letter: string, name: string, owner: 'first' | 'second', anchored = false): Piece => ({
  letter,
  name,
  owner,
  anchored,
  shape: name === 'pawn' ? 'round' : 'square',
});

export const PIECES: readonly Piece[] = [
  piece('O', 'pusher', 'first'),
  piece('o', 'pawn', 'first'),
  piece('P', 'pusher', 'first', true),
  piece('X', 'pusher', 'second'),
  piece('x', 'pawn', 'second'),
  piece('Y', 'pusher', 'second', true),
];

export const pieceOf = (letter: string): Piece | undefined => PIECES.find((piece) => piece.letter === letter);
