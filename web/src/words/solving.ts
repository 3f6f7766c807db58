// The cost of solving in this browser, in words.

import type { Count } from '../api/types';
import { withSeparators } from './games';
import { bytesText, timeText } from './plans';

/** Less memory than this is not mentioned. */
const MUCH = 250e6;

/** The cost of a solve: "about 30 seconds and up to 390 MB of memory". */
export function effortText(seconds: number | null, memory: number | null): string {
  const time = seconds === null || seconds < 1.5 ? 'about a second' : `about ${timeText(seconds)}`;
  return memory !== null && memory > MUCH ? `${time} and up to ${bytesText(memory)} of memory` : time;
}

export const positionsText = (positions: Count): string =>
  `${withSeparators(positions)} ${Number(positions) === 1 ? 'position' : 'positions'}`;
