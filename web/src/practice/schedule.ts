// The schedule of missed puzzles: they come back the next day, and after longer pauses each time they are solved. The
// caller passes days as whole numbers, so there is no clock here.

import { isSame, type PuzzleName } from '../values/puzzles';

/** A puzzle with its schedule. */
export interface Card extends PuzzleName {
  /** The index of the current pause. */
  pause: number;
  /** The day it was last seen. */
  seen: number;
  /** The first day it is due. */
  due: number;
}

/** The pauses in days. A puzzle that is solved after the last one is learned. */
export const PAUSES = [1, 3, 7, 16, 35, 75] as const;

const DAY = 24 * 60 * 60 * 1000;

/** The number of a date's day in the local time zone. */
export const dayOf = (date: Date): number =>
  Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / DAY);

const without = (cards: readonly Card[], puzzle: PuzzleName): Card[] =>
  cards.filter((card) => !isSame(card, puzzle));

function put(cards: readonly Card[], puzzle: PuzzleName, pause: number, today: number): Card[] {
  const { game, kind, position, toMove } = puzzle;
  const due = today + (PAUSES[pause] ?? 1);
  return [...without(cards, puzzle), { game, kind, position, toMove, pause, seen: today, due }];
}

/** The cards after a puzzle was missed: it starts over with the shortest pause. */
export const afterMiss = (cards: readonly Card[], puzzle: PuzzleName, today: number): Card[] =>
  put(cards, puzzle, 0, today);

/** The cards after a puzzle was solved on the first try. Puzzles without a card and cards that are not due stay as
 * they are. */
export function afterSolution(cards: readonly Card[], puzzle: PuzzleName, today: number): Card[] {
  const card = cards.find((card) => isSame(card, puzzle));
  if (!card || card.due > today) return [...cards];
  if (card.pause + 1 >= PAUSES.length) return without(cards, puzzle);
  return put(cards, puzzle, card.pause + 1, today);
}

/** The cards that are due today, the longest overdue first. */
export const dueOn = (cards: readonly Card[], today: number): Card[] =>
  cards.filter((card) => card.due <= today).sort((a, b) => a.due - b.due || a.pause - b.pause);

/** Merges two collections; for duplicates, the card that was seen last wins. */
export function merged(ours: readonly Card[], theirs: readonly Card[]): Card[] {
  const made = [...ours];
  for (const card of theirs) {
    const at = made.findIndex((other) => isSame(card, other));
    const other = made[at];
    if (!other) made.push(card);
    else if (card.seen > other.seen) made[at] = card;
  }
  return made;
}
