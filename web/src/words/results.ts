// The result of a game against an opponent, in words for the visitor.

import type { Seat, Verdict } from '../api/types';
import type { Ending } from '../values/endings';

export function resultText(winner: Seat | null, you: Seat, opponent: string): string {
  if (winner === null) return 'Draw';
  return winner === you ? 'You won' : `${opponent} won`;
}

export const endText = (ended: Ending): string =>
  ({ over: '', resigned: 'You resigned.', draw: 'You agreed to a draw.' })[ended];

/** What was still possible when the visitor resigned; empty for a loss. */
export function chanceText(verdict: Verdict | null, you: Seat, toMove: Seat): string {
  if (verdict?.outcome === 'draw') return 'You could still have held a draw.';
  const winning = toMove === you ? 'win' : 'loss';
  return verdict?.outcome === winning ? 'You could still have won.' : '';
}

const counted = (count: number, one: string, more: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : more}`;

/** The mistakes and inaccuracies of the visitor. */
export function mistakesText(marks: readonly string[]): string {
  const grave = marks.filter((mark) => mark === '?').length;
  const made = [
    counted(grave, 'mistake', 'mistakes'),
    counted(marks.length - grave, 'inaccuracy', 'inaccuracies'),
  ].filter((part) => part);
  return made.length === 0 ? 'You made no mistakes.' : `You made ${made.join(' and ')}.`;
}
