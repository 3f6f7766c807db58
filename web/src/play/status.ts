// The line below the board: what happened last, whose turn it is, and how he can go on.

import type { Probe } from '../api/types';
import type { Match } from './match.svelte';
import type { Session } from './session.svelte';
import { playerName } from '../words/players';

/** Why there are no values to show in a position; empty if there are. */
export function valuesOff(probe: Probe | null): string {
  if (!probe) return '';
  const known =
    probe.outcome !== 'unknown' || probe.turns_available.some(({ outcome }) => outcome !== 'unknown');
  return known ? '' : 'No value is known here.';
}

export function statusText(session: Session, match: Match): string {
  const { view, record, palette } = session;
  if (session.refusal) return session.refusal;
  if (!view) return '';
  const last = session.entry.begun.length === 0 && session.entry.picked.length === 0 ? record.last : null;
  const told = last ? `${playerName(palette, last.player)} made ${last.turn_on_board}.` : '';
  const mover = playerName(palette, view.to_move);
  if (session.over) return told;
  if (match.thinking) return `${told} ${match.opponent?.name ?? mover} thinks …`.trim();
  return `${told} ${mover} to move. ${session.advice}`.trim();
}
