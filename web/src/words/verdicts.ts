// Values in words. A verdict is for the side to move (or the player of a turn); the words say who wins.

import type { GameSummary, Seat, Verdict } from '../api/types';
import { opponentOf } from '../values/verdicts';
import { playerName } from './players';

export const turnsText = (turns: number): string => (turns === 1 ? '1 turn' : `${turns} turns`);

/** A verdict as a sentence; `seat` is the player it is for. */
export function verdictText(verdict: Verdict, seat: Seat): string {
  const { outcome, turns } = verdict;
  if (outcome === 'unknown') return 'Unknown';
  if (outcome === 'draw') return 'Draw with perfect play';
  const winner = playerName(outcome === 'win' ? seat : opponentOf(seat));
  if (turns === 0) return `${winner} has won`;
  return turns === null ? `${winner} wins` : `${winner} wins in ${turnsText(turns)}`;
}

/** The winner of a game from its start, if there is one and it is known, and a sentence about it. */
export function summaryVerdict({ start, known }: Pick<GameSummary, 'start' | 'known'>): {
  winner: Seat | null;
  text: string;
} {
  const value = start && start.outcome !== 'unknown' ? start : known;
  if (!value) return { winner: null, text: 'Not solved yet' };
  const winner = { win: 'first', loss: 'second', draw: null, unknown: null } as const;
  return { winner: winner[value.outcome], text: verdictText(value, 'first') };
}

/** A verdict in two or three words, for the player who would make the turn. */
export function shortText(verdict: Verdict): string {
  const word = { win: 'wins', loss: 'loses', draw: 'draws', unknown: 'unknown' }[verdict.outcome];
  return verdict.turns === null ? word : `${word} in ${verdict.turns}`;
}

/** A value in the few characters that fit on a square: turns to the end, or = or ?. */
export function badgeText(verdict: Verdict): string {
  if (verdict.outcome === 'draw') return '=';
  if (verdict.outcome === 'unknown') return '?';
  return verdict.turns === null ? { win: '+', loss: '−' }[verdict.outcome] : String(verdict.turns);
}
