// Puzzles in words: tasks, refutations, and messages if there is no such puzzle.

import type { PlayedTurn, Seat, Verdict } from '../api/types';
import type { Kind } from '../values/puzzles';
import { opponentOf } from '../values/verdicts';
import { playerName } from './players';
import { turnText } from './turns';
import { turnsText } from './verdicts';

/** The names of the kinds on the page. */
export const KIND_NAMES: Record<Kind, string> = {
  win: 'Find the win',
  save: 'Hold the draw',
  delay: 'Hold out longest',
  press: 'Keep up the pressure',
  place: 'Placements',
};

/** The name of a theme: "Find the win", "Win in 7". */
export const themeText = (kind: Kind, depth: number | null): string =>
  depth === null ? KIND_NAMES[kind] : `${kind === 'win' ? 'Win' : 'Loss'} in ${depth}`;

const inTurns = (turns: number | null): string => (turns === null ? '' : ` in ${turnsText(turns)}`);

/** A day: "Saturday, November 28". */
export const dayText = (day: Date): string =>
  day.toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** The task of the side to move; `verdict` is its value. After `made` turns of a win, it is about what is left of it. */
export function taskText(kind: Kind, { outcome, turns }: Verdict, seat: Seat, made = 0): string {
  const [who, other] = [playerName(seat), playerName(opponentOf(seat))];
  if (kind === 'place') {
    if (outcome === 'win') return `Place ${who}’s pieces to win${inTurns(turns)}.`;
    if (outcome === 'draw') return `Place ${who}’s pieces to hold the draw.`;
    return `Place ${who}’s pieces to hold out longest.`;
  }
  if (kind === 'press')
    return `Drawn. Find the only turn that leaves ${other} just one reply that holds the draw.`;
  if (outcome === 'win' && turns !== null && made > 0) {
    return made < turns
      ? `${who} to play and win${inTurns(turns - made)}. Find a fastest win.`
      : `${who} has won${inTurns(made)}.`;
  }
  if (outcome === 'win') return `${who} to play and win${inTurns(turns)}. Find the only winning turn.`;
  if (outcome === 'draw') return `${who} to play. Find the only turn that holds the draw.`;
  return `${who} is losing. Find the turn that holds out longest.`;
}

/** Why a turn was wrong, without giving the solution away; `reply` is the refutation. */
export function refutationText(
  kind: Kind,
  { before, after, player }: PlayedTurn,
  reply: PlayedTurn | null,
  parts: string[] = [],
): string {
  const other = playerName(opponentOf(player));
  const [turn, left] = reply ? [turnText(reply.turn_on_board, parts), reply.before.turns] : ['', null];
  if (kind === 'press' && after.outcome === 'draw')
    return `That holds the draw, but leaves ${other} more than one good reply.`;
  if (after.outcome === 'draw') {
    return `That throws away the win: ${other} holds the draw${reply ? ` with ${turn}` : ''}.`;
  }
  if (after.outcome !== 'loss') return 'There is a faster win.';
  const how = { win: 'That turns a win into a loss', draw: 'That throws away the draw' };
  const what =
    before.outcome === 'win' || before.outcome === 'draw'
      ? how[before.outcome]
      : 'That loses faster than necessary';
  if (turn === '') return `${what}: ${other} wins.`;
  return left === 1
    ? `${what}: ${turn} wins immediately.`
    : `${what}: ${other} wins${inTurns(left)} with ${turn}.`;
}

/** What to do after a right turn and the reply to it; `left` is the number of turns to the win. */
export function goOnText(
  { turn_on_board: turn, player }: PlayedTurn,
  reply: PlayedTurn | null,
  left: number | null,
  parts: string[] = [],
): string {
  const right = `Right: ${turnText(turn, parts)}.`;
  if (!reply) return right;
  const [who, other] = [playerName(player), playerName(opponentOf(player))];
  return `${right} ${other} replied with ${turnText(reply.turn_on_board, parts)}. ${who} wins${inTurns(left)}: go on.`;
}

/** The message if no puzzle of a kind was found. */
export function noPuzzleText(kind: Kind, turns: number | null): string {
  if (turns !== null) {
    return `No puzzle with a ${kind === 'win' ? 'win' : 'loss'} in ${turnsText(turns)} was found.`;
  }
  return {
    win: 'No position with exactly one winning turn was found.',
    save: 'No drawn position with exactly one turn that holds the draw was found.',
    delay: 'No lost position with exactly one turn that delays the loss longest was found.',
    press: 'No drawn position was found in which exactly one turn leaves just one reply that holds the draw.',
    place: 'All placements are equally good in this game.',
  }[kind];
}

/** The message if the position of an address is not such a puzzle. */
export const notThisText = (kind: Kind): string =>
  ({
    win: 'This position is not a puzzle: no turn wins, or more than one does.',
    save: 'This position is not a puzzle: it is not drawn, or more than one turn holds the draw.',
    delay: 'This position is not a puzzle: it is not lost, or more than one turn delays the loss longest.',
    press:
      'This position is not a puzzle: in a draw, exactly one turn must leave just one reply that holds the draw.',
    place: 'This position is not a puzzle: there are no pieces to place.',
  })[kind];

/** Praise for a number of puzzles solved in a row. */
export function praise(streak: number): string {
  if (streak >= 10) return 'Unstoppable!';
  if (streak >= 5) return 'Excellent!';
  return streak >= 3 ? 'Well done!' : 'Correct!';
}
