// The board for keyboards and screen readers: the next square in a direction, and descriptions of squares.

import type { Piece } from '../api/types';
import type { Candidate } from '../turn-entry/turn-entry';
import { pieceText } from '../words/players';
import { shortText } from '../words/verdicts';
import { SIZE, type Place } from './geometry';

const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest square in the direction of an arrow key, also across holes. */
export function nextPlace(places: Place[], from: Place, key: string): Place | undefined {
  const [dx, dy] = WAYS[key] ?? [0, 0];
  const ahead = places.flatMap((place) => {
    const [x, y] = [(place.x - from.x) / SIZE, (place.y - from.y) / SIZE];
    const distance = x * dx + y * dy;
    return distance > 0.5 && Math.abs(x * dy) + Math.abs(y * dx) < 0.5 ? [{ place, distance }] : [];
  });
  return ahead.sort((a, b) => a.distance - b.distance)[0]?.place;
}

/** A square in words: its piece, and the value that a touch leads to. */
export function spokenSquare(
  name: string,
  piece: Piece | null,
  picked: string[],
  candidate: Candidate | undefined,
  values: boolean,
): string {
  const words = [name, piece ? pieceText(piece) : 'empty'];
  if (picked.includes(name)) words.push('chosen');
  if (candidate) words.push(values ? shortText(candidate) : 'can be chosen');
  // The first square of a push is of the piece that pushes, the second of the piece that it pushes.
  if (candidate?.kinds.includes('push')) words.push(picked.length === 0 ? 'can push' : 'can be pushed');
  return words.join(', ');
}

/** The pieces off the board, in words; empty if there are none. */
export function spokenBeside(pieces: Piece[]): string {
  if (pieces.length === 0) return '';
  return `Off the board: ${pieces.map((piece) => pieceText(piece)).join(', ')}.`;
}
