// The position that is shown, with all that is known of it. It is replaced as a whole, so that no value,
// list or side to move can ever stand beside another position than its own.

import type { Mark, Probe, Verdict, View } from '../api/types';
import type { ShownTurn } from '../board/motion';
import type { Place } from '../values/places';

export interface Shown {
  place: Place;
  view: View;
  /** The value and the turns; null until the answer is there. */
  probe: Probe | null;
  /** The value of the position alone, where it came before those of its turns. */
  verdict?: Verdict;
  /** The marks of the turn that led here. */
  last: Mark[];
  /** That turn, if it is to be seen while it is made: where one came from the position before it. */
  motion: ShownTurn | null;
}
