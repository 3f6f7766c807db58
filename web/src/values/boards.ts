// Boards that are being set up: squares in rows from the top, null where there is no square. Changes return a new board.

import type { Piece, Seat, Square } from '../api/types';
import { opponentOf } from './verdicts';

export type Squares = (Square | null)[];

/** The board as text: rows from the top, squares only. */
export function boardText(squares: Squares, columns: number): string {
  const rows: string[] = [];
  for (let at = 0; at < squares.length; at += columns) {
    const row = squares.slice(at, at + columns).filter((square) => square !== null);
    if (row.length > 0) rows.push(row.map((square) => square.piece?.letter ?? '.').join(''));
  }
  return rows.join('/');
}

/** Puts the pieces of such a text on a board; null if the text does not fit it. */
export function withText(squares: Squares, text: string, palette: Piece[]): Squares | null {
  const letters = text.replaceAll(/[\s/]/g, '');
  let at = 0;
  const board = squares.map((square) => {
    const letter = square && letters[at++];
    return square && { ...square, piece: palette.find((piece) => piece.letter === letter) ?? null };
  });
  return boardText(board, board.length) === letters ? board : null;
}

/** Puts a piece on a square, or removes it if it is already there; null empties the square. */
export function withPiece(squares: Squares, name: string, piece: Piece | null, palette: Piece[]): Squares {
  return squares.map((square) => {
    if (!square) return square;
    if (square.name === name) {
      return { ...square, piece: square.piece?.letter === piece?.letter ? null : piece };
    }
    // There is only one anchor, so it leaves its old piece.
    const { piece: other } = square;
    if (piece?.anchored && other?.anchored) {
      const plain = palette.find((p) => p.owner === other.owner && p.shape === other.shape && !p.anchored);
      return { ...square, piece: plain ?? null };
    }
    return square;
  });
}

/** Moves a piece to another square, and removes the piece there. */
export function withMoved(squares: Squares, from: string, to: string): Squares {
  const piece = squares.find((square) => square?.name === from)?.piece ?? null;
  return squares.map((square) => {
    if (square?.name === from) return { ...square, piece: null };
    return square?.name === to ? { ...square, piece } : square;
  });
}

export const emptied = (squares: Squares): Squares =>
  squares.map((square) => square && { ...square, piece: null });

/** Replaces each piece by the same piece of the other player. */
export function swapped(squares: Squares, palette: Piece[]): Squares {
  const swap = (piece: Piece): Piece | null => {
    const { owner, shape, anchored } = piece;
    if (!owner) return piece;
    const same = (p: Piece) => p.owner === opponentOf(owner) && p.shape === shape && p.anchored === anchored;
    return palette.find(same) ?? null;
  };
  return squares.map((square) => square && { ...square, piece: square.piece && swap(square.piece) });
}

/** Rotates the pieces by 180 degrees; null if the board does not have this symmetry. */
export function rotated(squares: Squares): Squares | null {
  const back = squares.toReversed();
  if (squares.some((square, at) => (square === null) !== (back[at] === null))) return null;
  return squares.map((square, at) => square && { ...square, piece: back[at]?.piece ?? null });
}

/** The side to move if there is an anchor: its owner has just moved. */
export function moverByAnchor(squares: Squares): Seat | null {
  const owner = squares.find((square) => square?.piece?.anchored)?.piece?.owner;
  return owner ? opponentOf(owner) : null;
}
