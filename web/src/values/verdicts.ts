// Compares verdicts, and maps them to heights of bars.

import type { Outcome, Seat, Statistics, Verdict } from '../api/types';

export const opponentOf = (seat: Seat): Seat => (seat === 'first' ? 'second' : 'first');

const RANK: Record<Outcome, number> = { win: 0, draw: 1, unknown: 2, loss: 3 };

/** Negative if the first verdict is better for the same player: quick wins first, then slow wins, draws, unknown, slow
 * losses, quick losses. */
export function compareVerdicts(a: Verdict, b: Verdict): number {
  if (a.outcome !== b.outcome) return RANK[a.outcome] - RANK[b.outcome];
  const turns = (verdict: Verdict) => verdict.turns ?? 1e9;
  return a.outcome === 'loss' ? turns(b) - turns(a) : turns(a) - turns(b);
}

export const betterOf = <V extends Verdict>(a: V, b: V): V => (compareVerdicts(b, a) < 0 ? b : a);

/** How good a position is for the first player, from −1 to 1; the sooner the end, the larger the absolute value. */
export function advantage(verdict: Verdict, seat: Seat): number | null {
  const { outcome, turns } = verdict;
  if (outcome === 'unknown') return null;
  if (outcome === 'draw') return 0;
  const size = turns === null ? 0.6 : 0.3 + 0.7 * Math.exp(-turns / 16);
  return (outcome === 'win') === (seat === 'first') ? size : -size;
}

/** The turns to the end that occur in a game, ascending. */
export function depthsOf({ win, loss }: Statistics['by_turns']): number[] {
  return [...new Set([...Object.keys(win), ...Object.keys(loss)].map(Number))].sort((a, b) => a - b);
}
