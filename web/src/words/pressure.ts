// How hard a position is to hold, in words.

import type { HoldingTurn, Probe, Seat, Shade, Statistics } from '../api/types';
import { opponentOf } from '../values/verdicts';
import { withSeparators } from './games';
import { playerName } from './players';
import { listedTurn } from './turns';
import { turnsText } from './verdicts';

/** How many turns keep the outcome; empty if there is no choice, or not all turns are listed and known. */
export function holdingText({ outcome, turns_available: turns, page, to_move }: Probe): string {
  if (turns.some((turn) => turn.outcome === 'unknown')) return '';
  if (page || turns.length < 2 || (outcome !== 'draw' && outcome !== 'win')) return '';
  const count = turns.filter((turn) => turn.outcome === outcome).length;
  const verb = { draw: ['holds the draw', 'hold the draw'], win: ['wins', 'win'] }[outcome][
    count === 1 ? 0 : 1
  ];
  return `${withSeparators(count)} of ${playerName(to_move)}’s ${withSeparators(turns.length)} turns ${verb}.`;
}

/** The turn that leaves the fewest good replies, of those counted so far. */
export function hardestText(count: {
  hardest: HoldingTurn | null;
  counted: number;
  holding: number;
  complete: boolean;
}): string {
  const { hardest, counted, holding, complete } = count;
  if (!hardest) return '';
  const replies = `of ${withSeparators(hardest.replies.all)} replies`;
  const left =
    Number(hardest.replies.all) === 1
      ? 'the only reply holds'
      : hardest.holding === 1
        ? `only 1 ${replies} holds`
        : `${withSeparators(hardest.holding)} ${replies} hold`;
  const so = complete ? '' : `; ${withSeparators(counted)} of ${withSeparators(holding)} turns checked`;
  return `Toughest try: ${listedTurn(hardest.turn_on_board)} (${left}${so}).`;
}

/** A sentence about who presses in a drawn position; `seat` is to move. */
export function shadeText({ side, level, turns_to_task: turns }: Shade, seat: Seat): string {
  if (side === 'quiet' || turns === null) return 'A quiet draw: neither side can press.';
  if (turns === 0) return '';
  const [who, other] = side === 'presses' ? [seat, opponentOf(seat)] : [opponentOf(seat), seat];
  const sharp = level === 1 ? '' : ` (level ${level})`;
  return `${playerName(who)} presses: within ${turnsText(turns)}, ${playerName(other)} will have only one turn that holds the draw${sharp}.`;
}

/** How many draws are quiet. */
export function quietText({ draws, quiet }: NonNullable<Statistics['shades']>): string {
  if (Number(draws) === 0) return '';
  const presses = withSeparators(Number(draws) - Number(quiet));
  return `Of all ${withSeparators(draws)} draws, ${withSeparators(quiet)} are quiet (neither side can press); in ${presses}, one side presses.`;
}
