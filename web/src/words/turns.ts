// Turns in words.

import type { Seat, Verdict } from '../api/types';
import { opponentOf } from '../values/verdicts';
import { playerName } from './players';

/** The parts of a turn, with the last one named if turns have parts of several kinds: "d1-a2", "push c2-c3". */
export function turnWords(turn: string, parts: string[]): string[] {
  const last = parts.at(-1);
  const named = new Set(parts).size > 1 && last !== undefined && !turn.includes(':');
  const steps = turn.includes(':') ? turn.split(' ') : turn.split(',');
  return steps.map((step, at) => (named && at === steps.length - 1 ? `${last.toLowerCase()} ${step}` : step));
}

/** The value of a turn in a few words: "Red wins in 3". */
export function resultText({ outcome, turns }: Verdict, maker: Seat): string {
  if (outcome === 'unknown') return 'unknown';
  if (outcome === 'draw') return 'draw';
  const winner = playerName(outcome === 'win' ? maker : opponentOf(maker));
  return turns === null ? `${winner} wins` : `${winner} wins in ${turns}`;
}
