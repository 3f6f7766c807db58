// When a puzzle that was missed comes back: the next day, and after longer and longer pauses as long as it is
// solved. Days are whole numbers that the caller gives, so nothing here asks a clock.

import { isSame, type PuzzleName } from '../values/puzzles';

/** A puzzle that comes back. */
export interface Card extends PuzzleName {
  /** The number of the pause that it is in. */
  pause: number;
  /** The day on which it was seen last. */
  seen: number;
  /** The day from which on it is asked again. */
  due: number;
}

/** The pauses in days; who solves a puzzle after the last one has learned it. */
export const PAUSES = [1, 3, 7, 16, 35, 75] as const;

const DAY = 24 * 60 * 60 * 1000;

/** The number of a date's day, as calendars where the player is count them. */
export const dayOf = (date: Date): number =>
  Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / DAY);

const without = (cards: readonly Card[], puzzle: PuzzleName): Card[] =>
  cards.filter((card) => !isSame(card, puzzle));

function put(cards: readonly Card[], puzzle: PuzzleName, pause: number, today: number): Card[] {
  const { game, kind, position, toMove } = puzzle;
  const due = today + (PAUSES[pause] ?? 1);
  return [...without(cards, puzzle), { game, kind, position, toMove, pause, seen: today, due }];
}

/** The cards after a puzzle was missed: it begins with the shortest pause, again if need be. */
export const afterMiss = (cards: readonly Card[], puzzle: PuzzleName, today: number): Card[] =>
  put(cards, puzzle, 0, today);

/** The cards after a puzzle was solved at once. One that was never missed, or is not due, changes nothing. */
export function afterSolution(cards: readonly Card[], puzzle: PuzzleName, today: number): Card[] {
  const card = cards.find((card) => isSame(card, puzzle));
  if (!card || card.due > today) return [...cards];
  if (card.pause + 1 >= PAUSES.length) return without(cards, puzzle);
  return put(cards, puzzle, card.pause + 1, today);
}

/** The cards that are asked today; those that have waited longest come first. */
export const dueOn = (cards: readonly Card[], today: number): Card[] =>
  cards.filter((card) => card.due <= today).sort((a, b) => a.due - b.due || a.pause - b.pause);

/** Two collections as one: of a card that both have, what was seen last holds. */
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
