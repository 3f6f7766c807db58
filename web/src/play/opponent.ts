// How an opponent chooses a turn. It looks a number of turns ahead, treats whatever ends later as a draw (as
// `retrograde play --strength` does), and plays a random turn with some probability.

import { api } from '../api/api';
import type { Probe, TurnValue, Verdict } from '../api/types';
import type { Opponent } from './opponents';

/** The score of a turn, by outcome and then by turns to the end; larger is better. */
function score({ outcome, turns }: Verdict, horizon: number | null): [number, number] {
  const far = horizon !== null && (turns === null || turns > horizon);
  if (far || outcome === 'draw' || outcome === 'unknown') return [0, 0];
  return outcome === 'win' ? [1, -(turns ?? 0)] : [-1, turns ?? 0];
}

/** The turns that look best within a horizon. */
export function bestTurns(turns: TurnValue[], horizon: number | null): TurnValue[] {
  let best: TurnValue[] = [];
  let [outcome, depth] = [-Infinity, -Infinity];
  for (const turn of turns) {
    const [o, d] = score(turn, horizon);
    if (o > outcome || (o === outcome && d > depth)) [best, outcome, depth] = [[], o, d];
    if (o === outcome && d === depth) best.push(turn);
  }
  return best;
}

/** The number of best turns of a position; infinite if the game is over, which sets no task, or if it is not known. */
export function goodReplies(probe: Probe | undefined): number {
  const best = probe?.turns_available[0];
  if (!best) return Infinity;
  const equal = (turn: TurnValue) => turn.outcome === best.outcome && turn.turns === best.turns;
  return probe.turns_available.filter(equal).length;
}

/** The most equal turns whose replies are counted. */
const MAX_COUNTED = 24;

/** The turns that press hardest, of drawn turns with known shades: the first, and all with the same shade. */
export function sharpest(turns: TurnValue[]): TurnValue[] {
  const best = turns[0]?.shade;
  if (!best) return turns;
  const alike = ({ shade }: TurnValue) =>
    shade?.side === best.side && shade.level === best.level && shade.turns_to_task === best.turns_to_task;
  return turns.filter(alike);
}

/** The turns that leave the fewest good replies, of those that hold a draw. */
async function hardest(game: string, probe: Probe, turns: TurnValue[]): Promise<TurnValue[]> {
  const { position, to_move } = probe;
  const { holding_turns } = await api.pressure(game, { position, to_move, limit: MAX_COUNTED });
  const counted = holding_turns.filter(
    ({ turn, replies }) => replies.all > 0 && turns.some((other) => other.turn === turn),
  );
  const fewest = Math.min(...counted.map(({ holding }) => holding));
  const best = new Set(counted.filter(({ holding }) => holding === fewest).map(({ turn }) => turn));
  return best.size > 0 ? turns.filter(({ turn }) => best.has(turn)) : turns;
}

async function fewestReplies(game: string, probe: Probe, equal: TurnValue[]): Promise<TurnValue[]> {
  const turns = sharpest(equal);
  if (turns.length < 2) return turns;
  if (turns.every(({ outcome }) => outcome === 'draw')) return hardest(game, probe, turns);
  const some = turns.slice(0, MAX_COUNTED);
  // The answers list a limited number of turns in all, so there may be none for the last positions.
  const { answers } = await api.probeAll(
    game,
    some.map((turn) => turn.position),
  );
  const replies = answers.map(({ answer }) => goodReplies(answer));
  const fewest = Math.min(...replies);
  return some.filter((_, at) => replies[at] === fewest);
}

/** A random choice; `chance` returns a number from 0 up to, but not including, 1. */
const drawn = (turns: TurnValue[], chance: () => number): TurnValue | null =>
  turns[Math.floor(chance() * turns.length)] ?? null;

/** The opponent's turn; null if there is none. */
export async function chooseTurn(
  game: string,
  probe: Probe,
  { horizon, errs, setsTraps }: Opponent,
  chance: () => number = Math.random,
): Promise<TurnValue | null> {
  if (chance() < errs) return drawn(probe.turns_available, chance);
  let best = bestTurns(probe.turns_available, horizon);
  // If replies cannot be counted, as in games with consecutive turns, any of the best turns will do.
  if (setsTraps && best.length > 1) best = await fewestReplies(game, probe, best).catch(() => best);
  return drawn(best, chance);
}
