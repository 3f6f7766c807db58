// How narrow a position is, in words.

import type { HoldingTurn, Probe, Seat, Shade, Statistics } from '../api/types';
import { opponentOf } from '../values/verdicts';
import { withSeparators } from './games';
import { playerName } from './players';
import { turnsText } from './verdicts';

/** How many turns keep the outcome; empty where there is no choice, or not all turns are listed. */
export function holdingText({ outcome, turns_available: turns, page, to_move }: Probe): string {
  if (page || turns.length < 2 || (outcome !== 'draw' && outcome !== 'win')) return '';
  const count = turns.filter((turn) => turn.outcome === outcome).length;
  const verb = { draw: ['holds', 'hold'], win: ['wins', 'win'] }[outcome][count === 1 ? 0 : 1];
  return `Of ${playerName(to_move)}’s ${withSeparators(turns.length)} turns ${withSeparators(count)} ${verb}.`;
}

/** The turn that leaves the fewest replies, as far as they were counted. */
export function hardestText(count: {
  hardest: HoldingTurn | null;
  counted: number;
  holding: number;
  complete: boolean;
}): string {
  const { hardest, counted, holding, complete } = count;
  if (!hardest) return '';
  const all = withSeparators(hardest.replies.all);
  const left = hardest.holding === 1 ? 'a single one holds' : `${withSeparators(hardest.holding)} hold`;
  const so = complete ? '' : ` (${withSeparators(counted)} of ${withSeparators(holding)} turns looked at)`;
  return `Hardest for the other side is ${hardest.turn_on_board}: of ${all} replies ${left}${so}.`;
}

/** A sentence about who presses in a drawn position, whose side to move is `seat`. */
export function shadeText({ side, level, turns_to_task: turns }: Shade, seat: Seat): string {
  if (side === 'quiet' || turns === null) return 'A quiet draw: nobody presses.';
  if (turns === 0) return '';
  const [who, other] = side === 'presses' ? [seat, opponentOf(seat)] : [opponentOf(seat), seat];
  const sharp = level === 1 ? '' : `, level ${level}`;
  return `${playerName(who)} presses: a task for ${playerName(other)} within ${turnsText(turns)}${sharp}.`;
}

/** How many draws are quiet. */
export function quietText({ draws, quiet }: NonNullable<Statistics['shades']>): string {
  if (Number(draws) === 0) return '';
  const presses = withSeparators(Number(draws) - Number(quiet));
  return `Of the draws ${withSeparators(quiet)} are quiet; in ${presses} somebody presses.`;
}
