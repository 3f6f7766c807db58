// Creates the entry of a new turn.

import type { StepValue, View } from '../api/types';
import { PlacementEntry } from './placement-entry';
import { StepEntry } from './step-entry';
import type { TurnEntry } from './turn-entry';

/** An entry in which nothing can be touched. */
export const NO_ENTRY: TurnEntry = new StepEntry([]);

export function beginTurn(view: View, steps: StepValue[]): TurnEntry {
  return view.to_place.length > 0 ? PlacementEntry.begin(view.to_place, steps) : new StepEntry(steps);
}
