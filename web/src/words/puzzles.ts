// Puzzles in words: what is asked, why an answer is wrong, what there is if there is no such puzzle.

import type { PlayedTurn, Seat, Verdict } from '../api/types';
import type { Kind } from '../values/puzzles';
import { opponentOf } from '../values/verdicts';
import { seatName } from './players';
import { turnsText } from './verdicts';

/** The kinds as they are chosen. */
export const KIND_NAMES: Record<Kind, string> = {
  win: 'One turn wins',
  save: 'One turn saves',
  place: 'Placements',
};

const inTurns = (turns: number | null): string => (turns === null ? '' : ` in ${turnsText(turns)}`);

/** What is asked of the side to move; `verdict` speaks of it. */
export function taskText(kind: Kind, { outcome, turns }: Verdict, seat: Seat): string {
  const [who, other] = [seatName(seat), seatName(opponentOf(seat))];
  if (kind === 'place') {
    if (outcome === 'win') return `${who} places the pieces to win${inTurns(turns)}: where?`;
    if (outcome === 'draw') return `${who} places the pieces to hold the draw: where?`;
    return `${who} places the pieces to hold out longest: where?`;
  }
  if (outcome === 'win') return `${who} wins${inTurns(turns)}. Only one turn does it: which?`;
  if (outcome === 'draw') return `Only one turn holds the draw for ${who}: which?`;
  return `${other} wins, but one turn holds out longest for ${who}: which?`;
}

/** Why a turn was wrong, without a word about the right one; `reply` is the turn that shows it. */
export function refutationText(made: PlayedTurn, reply: PlayedTurn | null): string {
  const { before, after, player } = made;
  const other = seatName(opponentOf(player));
  const by = reply ? `after ${reply.turn_on_board} ` : '';
  const left = reply ? reply.before.turns : null;
  const lost = `${by}${other} wins${inTurns(left)}.`;
  if (after.outcome === 'loss' && before.outcome === 'win') return `That turns a win into a loss: ${lost}`;
  if (after.outcome === 'loss' && before.outcome === 'draw') return `That gives the draw away: ${lost}`;
  if (after.outcome === 'loss') return `That loses sooner than need be: ${lost}`;
  if (after.outcome === 'draw') return `That lets the win slip: ${by}${other} holds the draw.`;
  if (after.outcome === 'win') return `That wins too, but later: ${by}the game goes on too long.`;
  return 'That is not it.';
}

/** Where the drawn kinds of puzzles are not to be had, and why that may be. */
export function noPuzzleText(kind: Kind, turns: number | null): string {
  if (turns !== null) return `No puzzle was found in which one turn wins in ${turnsText(turns)}.`;
  return {
    win: 'No puzzle was found here in which only one turn wins.',
    save: 'No puzzle was found here in which only one turn saves: where all is lost at once, or nothing can be drawn, there is nothing to save.',
    place: 'Here all placements are equally good, so there is nothing to ask.',
  }[kind];
}

/** Said of a position in an address that is no such puzzle. */
export const notThisText = (kind: Kind): string =>
  ({
    win: 'This position is no puzzle: no turn wins in it, or more than one does.',
    save: 'This position is no puzzle: nothing can be saved in it, or more than one turn does.',
    place: 'No pieces are placed in this position.',
  })[kind];

/** Praise, which grows with the number of puzzles solved in a row. */
export function praise(streak: number): string {
  if (streak >= 10) return 'Unstoppable!';
  if (streak >= 5) return 'Excellent!';
  return streak >= 3 ? 'Well done!' : 'Right!';
}
