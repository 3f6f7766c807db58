// The kinds of puzzles, their names in an address, their themes, and how difficult they are.

import type { Seat, Verdict } from '../api/types';

/** The task: the only turn that wins, and then to win; the only turn that holds a draw; the turn that delays a loss
 * longest; the only turn that leaves a single reply; a best placement. */
export type Kind = 'win' | 'save' | 'delay' | 'press' | 'place';

export const KINDS: readonly Kind[] = ['win', 'save', 'delay', 'press', 'place'];

export const kindOf = (text: string | null): Kind | null => KINDS.find((kind) => kind === text) ?? null;

/** The kinds for which requests find puzzles: drawn and lost positions are one kind there. */
export type AskedKind = 'win' | 'save' | 'press';
export const askedKind = (kind: Exclude<Kind, 'place'>): AskedKind => (kind === 'delay' ? 'save' : kind);

/** A theme that one can choose: a kind, or a kind with the turns to the end. */
export interface Theme {
  kind: Kind;
  depth: number | null;
}

/** Whether puzzles of a kind can be chosen by the turns to the end. */
export const hasDepths = (kind: Kind): boolean => kind === 'win' || kind === 'delay';

/** The themes that the kind and the value of a puzzle tell. */
export function themesOf(kind: Kind, { turns }: Verdict): Theme[] {
  const themes: Theme[] = [{ kind, depth: null }];
  if (hasDepths(kind) && turns !== null) themes.push({ kind, depth: turns });
  return themes;
}

/** A puzzle as an address names it. */
export interface PuzzleName {
  game: string;
  kind: Kind;
  position: string;
  toMove: Seat;
}

export const isSame = (a: PuzzleName, b: PuzzleName): boolean =>
  a.game === b.game && a.kind === b.kind && a.position === b.position && a.toMove === b.toMove;

/** The rating of a player who has not solved any puzzles. */
export const FIRST_RATING = 1200;
/** How far a single puzzle moves a rating at most. */
const STEP = 40;

/** The rating of a puzzle: each doubling of the turns to choose from adds 100, each turn to the end 30. */
export const difficulty = ({ turns }: Verdict, choices: number): number =>
  Math.round(500 + 100 * Math.log2(Math.max(choices, 2)) + 30 * (turns ?? 1));

/** The rating after a puzzle, by Elo's formula: a player solves half of the puzzles that are rated like the player. */
export function ratingAfter(rating: number, puzzle: number, solved: boolean): number {
  const expected = 1 / (1 + 10 ** ((puzzle - rating) / 400));
  return Math.round(rating + STEP * (Number(solved) - expected));
}
