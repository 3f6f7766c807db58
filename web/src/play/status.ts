// The line below the board: the last turn, the side to move, and what it can do next.

import type { Probe } from '../api/types';
import type { Match } from './match.svelte';
import type { Session } from './session.svelte';
import { playerName } from '../words/players';
import { playedText } from '../words/turns';

/** Why a position has no values to show; empty if it has. */
export function valuesOff(probe: Probe | null): string {
  if (!probe) return '';
  const known =
    probe.outcome !== 'unknown' || probe.turns_available.some(({ outcome }) => outcome !== 'unknown');
  return known ? '' : 'No values are known here.';
}

/** Said if the position could not be loaded. */
const BEHIND = 'This position could not be loaded: the board still shows another one.';

export function statusText(session: Session, match: Match, hint: string): string {
  const { view, record } = session;
  if (session.refusal) return session.refusal;
  if (hint) return hint;
  if (!view) return '';
  const last = session.entry.begun.length === 0 && session.entry.picked.length === 0 ? record.last : null;
  const demo = record.node(record.hereId).demo;
  const lastTurn = last ? `${playedText(last.turn_on_board, last.player, demo)}.` : '';
  const mover = playerName(view.to_move);
  // Until a position is loaded, nothing is known about it.
  if (!session.current) return session.behind ? `${lastTurn} ${BEHIND}`.trim() : lastTurn;
  if (session.over || match.atEnd) return lastTurn;
  if (match.thinking) return `${lastTurn} ${match.opponent?.name ?? mover} is thinking …`.trim();
  return `${lastTurn} ${mover} to move. ${session.advice}`.trim();
}
