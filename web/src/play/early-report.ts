// With remote values, the rules list the steps and turns first, so that a turn can be started, played and previewed
// while values load.

import { api } from '../api/api';
import type { Probe, QueryOf, Steps } from '../api/types';

/** If values arrive within this many milliseconds, the list from the rules is not needed. */
const MOMENT = 120;

const pause = (time: number) => new Promise<false>((resolve) => setTimeout(resolve, time, false));

/** Calls back with the steps and turns from the rules, unless the values arrive first. */
export async function reportEarly(
  game: string,
  query: QueryOf<'positions'>,
  values: Promise<unknown>,
  report: (early: { steps: Steps; probe: Probe }) => void,
): Promise<void> {
  if (!api.isRemote(game)) return;
  let came = false;
  const there = values.then(
    () => (came = true),
    () => (came = true),
  );
  if (await Promise.race([there, pause(MOMENT)])) return;
  try {
    const early = await api.byRules(game, query);
    if (early && !came) report({ steps: early[0], probe: early[1] });
  } catch {
    // The values follow.
  }
}
