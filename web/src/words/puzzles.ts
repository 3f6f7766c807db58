// Puzzles in words: what is asked, why an answer is wrong, what there is if there is no such puzzle.

import type { PlayedTurn, Seat, Verdict } from '../api/types';
import type { Kind } from '../values/puzzles';
import { opponentOf } from '../values/verdicts';
import { playerName } from './players';
import { turnsText } from './verdicts';

/** The kinds as they are chosen. */
export const KIND_NAMES: Record<Kind, string> = {
  win: 'One turn wins',
  save: 'One turn saves',
  press: 'One turn presses',
  place: 'Placements',
};

const inTurns = (turns: number | null): string => (turns === null ? '' : ` in ${turnsText(turns)}`);

/** The task of the side to move; `verdict` speaks of it. */
export function taskText(kind: Kind, { outcome, turns }: Verdict, seat: Seat): string {
  const [who, other] = [playerName(seat), playerName(opponentOf(seat))];
  if (kind === 'place') {
    if (outcome === 'win') return `${who} places the pieces to win${inTurns(turns)}: where?`;
    if (outcome === 'draw') return `${who} places the pieces to hold the draw: where?`;
    return `${who} places the pieces to hold out longest: where?`;
  }
  if (kind === 'press') return `A draw. Only one turn leaves ${other} a single reply that holds: which?`;
  if (outcome === 'win') return `${who} wins${inTurns(turns)}. Only one turn does it: which?`;
  if (outcome === 'draw') return `Only one turn holds the draw for ${who}: which?`;
  return `${other} wins, but one turn holds out longest for ${who}: which?`;
}

/** Why a turn was wrong, without a word about the right one; `reply` is the turn that shows it. */
export function refutationText(
  kind: Kind,
  { before, after, player }: PlayedTurn,
  reply: PlayedTurn | null,
): string {
  const other = playerName(opponentOf(player));
  if (kind === 'press' && after.outcome === 'draw') return `It holds, and leaves ${other} more than one way.`;
  if (after.outcome === 'draw') {
    return `That lets the win slip: ${reply ? `with ${reply.turn_on_board} ` : ''}${other} holds the draw.`;
  }
  if (after.outcome !== 'loss') return 'That takes longer than need be.';
  const [turn, left] = reply ? [reply.turn_on_board, reply.before.turns] : ['', null];
  const how = { win: 'That turns a win into a loss', draw: 'That gives the draw away' };
  const what =
    before.outcome === 'win' || before.outcome === 'draw'
      ? how[before.outcome]
      : 'That loses sooner than need be';
  if (turn === '') return `${what}: ${other} wins.`;
  return left === 1
    ? `${what}: ${turn} wins at once.`
    : `${what}: after ${turn} ${other} wins${inTurns(left)}.`;
}

/** Said where no puzzle of a kind was found; in games without draws, for example, little can be saved. */
export function noPuzzleText(kind: Kind, turns: number | null): string {
  if (turns !== null) {
    const what = kind === 'win' ? 'wins in' : 'holds out for';
    return `No puzzle was found in which one turn ${what} ${turnsText(turns)}.`;
  }
  return {
    win: 'No puzzle was found here in which only one turn wins.',
    save: 'No puzzle was found here in which only one turn saves: where all is lost at once, or nothing can be drawn, there is nothing to save.',
    press: 'No puzzle was found here in which only one turn leaves a single reply that holds.',
    place: 'Here all placements are equally good, so there is nothing to ask.',
  }[kind];
}

/** Said of a position in an address that is no such puzzle. */
export const notThisText = (kind: Kind): string =>
  ({
    win: 'This position is no puzzle: no turn wins in it, or more than one does.',
    save: 'This position is no puzzle: nothing can be saved in it, or more than one turn does.',
    press:
      'This position is no puzzle: it is not drawn, or not exactly one turn leaves a single reply that holds.',
    place: 'No pieces are placed in this position.',
  })[kind];

/** Praise, which grows with the number of puzzles solved in a row. */
export function praise(streak: number): string {
  if (streak >= 10) return 'Unstoppable!';
  if (streak >= 5) return 'Excellent!';
  return streak >= 3 ? 'Well done!' : 'Right!';
}
