// The shown position with all that is known about it. It is replaced as a whole, so that values, lists and the side to
// move always belong to the same position.

import type { Mark, Probe, Verdict, View } from '../api/types';
import type { ShownTurn } from '../board/motion';
import type { Place } from '../values/places';

export interface Shown {
  place: Place;
  view: View;
  /** The value and the turns; null until they are loaded. */
  probe: Probe | null;
  /** The value of the position alone, if it arrived before the values of its turns. */
  verdict?: Verdict;
  /** The marks of the turn that led here. */
  last: Mark[];
  /** That turn, if it is to be animated: when the previous position was shown before. */
  motion: ShownTurn | null;
}
