// What solving takes, in words.

import { withSeparators } from './games';

/** Bytes for people: 831 MB, 4.2 GB. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let [scaled, unit] = [bytes, 0];
  while (scaled >= 999.5 && unit + 1 < units.length) {
    scaled /= 1000;
    unit++;
  }
  return `${unit === 0 || scaled >= 9.95 ? Math.round(scaled) : scaled.toFixed(1)} ${units[unit]}`;
}

/** A time for people, rounded: "a second", "40 seconds", "3 minutes". */
export function timeText(seconds: number): string {
  if (seconds < 1.5) return 'a second';
  if (seconds < 90) return `${Math.round(seconds)} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

/** Less memory than this is no reason to think twice. */
const MUCH = 250e6;

/** What a solve takes: "about 30 seconds and up to 390 MB of memory". */
export function effortText(seconds: number | null, memory: number | null): string {
  const much = memory !== null && memory > MUCH ? ` and up to ${bytesText(memory)} of memory` : '';
  return `about ${timeText(seconds ?? 0)}${much}`;
}

export const positionsText = (positions: number | string): string =>
  `${withSeparators(positions)} ${Number(positions) === 1 ? 'position' : 'positions'}`;
