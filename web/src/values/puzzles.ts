// The kinds of puzzles, and their names in an address.

import type { Seat } from '../api/types';

/** The task: the only turn that wins, the only turn that saves, the only turn that leaves a single reply, or a best
 * placement. */
export type Kind = 'win' | 'save' | 'press' | 'place';

export const KINDS: readonly Kind[] = ['win', 'save', 'press', 'place'];

export const kindOf = (text: string | null): Kind | null => KINDS.find((kind) => kind === text) ?? null;

/** A puzzle as an address names it. */
export interface PuzzleName {
  game: string;
  kind: Kind;
  position: string;
  toMove: Seat;
}

export const isSame = (a: PuzzleName, b: PuzzleName): boolean =>
  a.game === b.game && a.kind === b.kind && a.position === b.position && a.toMove === b.toMove;
