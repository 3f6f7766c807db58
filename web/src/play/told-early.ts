// Where values come from far away, the rules tell beforehand which steps and turns there are, so that a turn can be
// begun, made and pointed at while values are on their way.

import { api } from '../api/api';
import type { Probe, QueryOf, Steps } from '../api/types';

/** Values that come within so many milliseconds need nothing told before them. */
const MOMENT = 120;

const pause = (time: number) => new Promise<false>((resolve) => setTimeout(resolve, time, false));

/** Tells what the rules know of a question's steps and turns, unless its values come first. */
export async function toldEarly(
  game: string,
  query: QueryOf<'positions'>,
  values: Promise<unknown>,
  tell: (told: { steps: Steps; probe: Probe }) => void,
): Promise<void> {
  if (!api.far(game)) return;
  let came = false;
  const there = values.then(
    () => (came = true),
    () => (came = true),
  );
  if (await Promise.race([there, pause(MOMENT)])) return;
  try {
    const told = await api.byRules(game, query);
    if (told && !came) tell({ steps: told[0], probe: told[1] });
  } catch {
    // The values come later.
  }
}
