// The estimated cost of solving a game on the server's machine, in words.

import type { Count, Plan } from '../api/types';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** A size in decimal units with two digits: "2.6 GB", "327 MB". */
export function bytesText(bytes: Count): string {
  let [size, unit] = [Number(bytes), 0];
  // Sizes that would round to 1000 use the next unit.
  while (size >= 999.5 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${size < 9.95 && unit > 0 ? size.toFixed(1) : size.toFixed(0)} ${UNITS[unit]}`;
}

const SPANS: [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** A time as one number: "11 seconds", "3 days". */
export function timeText(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  // Below 1.5 of a span, the next smaller one is more precise.
  const [name, span] = SPANS.find(([, span]) => seconds >= 1.5 * span) ?? ['second', 1];
  const count = Math.round(seconds / span);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** Whether a solver can make a table of the game on this machine. */
export const canBeSolved = ({ fits, method }: Plan): boolean => fits && method !== 'search';

/** The cost of solving, or why the game cannot be solved, in a sentence or two. */
export function costText(plan: Plan): string {
  if (!canBeSolved(plan)) {
    return plan.memory === 0
      ? 'It is too large to solve.'
      : `Solving it needs at least ${bytesText(plan.memory)} of memory, more than is free here.`;
  }
  const memory = `${bytesText(plan.memory)} of memory`;
  if (plan.seconds === null) {
    return `A table of all positions would be too large. Only positions reachable from the start can be solved, as far as ${memory} allows.`;
  }
  const only =
    plan.method === 'fill-outcomes' ? ' The table will show who wins, but not in how many turns.' : '';
  const about = plan.seconds < 1 ? '' : 'about ';
  return `Solving takes ${about}${timeText(plan.seconds)}, ${memory} and ${bytesText(plan.disk)} of disk with the command-line program.${only}`;
}
