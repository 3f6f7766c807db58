// An opponent who sees so many turns ahead: what ends later is a draw to him, as in `retrograde play --strength`.

import { ask, of } from '../api/server';
import type { Probe, TurnValue, Verdict } from '../api/types';

export interface Manner {
  /** Turns that he looks ahead; null: to the end. */
  horizon: number | null;
  /** Among equal turns the one that leaves the other player the fewest good replies. */
  aggressive: boolean;
}

/** How much a turn is liked: larger is better. */
function liking(verdict: Verdict, horizon: number | null): [number, number] {
  const { outcome, turns } = verdict;
  const far = horizon !== null && (turns === null || turns > horizon);
  if (far || outcome === 'draw' || outcome === 'unknown') return [0, 0];
  return outcome === 'win' ? [1, -(turns ?? 0)] : [-1, turns ?? 0];
}

/** Replies are counted for at most so many of the equal turns. */
const COUNTED = 24;

async function fewestReplies(game: string, turns: TurnValue[]): Promise<TurnValue[]> {
  const some = turns.slice(0, COUNTED);
  const batch = { positions: some.map((turn) => turn.position) };
  const { answers } = await ask().post<{ answers: { answer?: Probe }[] }>(of(game, 'positions'), batch);
  const good = answers.map(({ answer }) => {
    if (!answer || answer.turns_available.length === 0) return 0;
    const best = answer.turns_available[0]!;
    return answer.turns_available.filter((turn) => turn.outcome === best.outcome && turn.turns === best.turns).length;
  });
  const fewest = Math.min(...good);
  return some.filter((_, at) => good[at] === fewest);
}

/** The turn that the opponent makes; null if there is none. */
export async function choose(game: string, probe: Probe, manner: Manner): Promise<TurnValue | null> {
  const turns = probe.turns_available;
  if (turns.length === 0) return null;
  const liked = turns.map((turn) => liking(turn, manner.horizon));
  const best = liked.reduce((a, b) => (b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? b : a));
  let equals = turns.filter((_, at) => liked[at]![0] === best[0] && liked[at]![1] === best[1]);
  if (manner.aggressive && equals.length > 1) equals = await fewestReplies(game, equals);
  return equals[Math.floor(Math.random() * equals.length)] ?? null;
}
