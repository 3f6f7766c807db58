// The puzzle of the day: it depends only on the date and the solved games.

import { api } from '../api/api';
import type { GameSummary, Puzzle } from '../api/types';
import { largest } from '../values/families';
import type { PuzzleName } from '../values/puzzles';

/** Games up to this number of positions answer quickly. */
const MAX_POSITIONS = 1e9;

/** Turns to the win, from Monday to Sunday: puzzles get harder during the week. */
const WEEK = [3, 3, 5, 5, 7, 7, 9];

export interface Daily {
  game: string;
  puzzle: Puzzle;
}

/** The date in UTC as a seed, such as 20261123. */
export const seedOf = (date: Date): number => Number(date.toISOString().slice(0, 10).replaceAll('-', ''));

/** The date of such a seed; null if it is none, or in the future. */
export function dateOf(seed = 0): Date | null {
  const date = new Date(Date.UTC(Math.floor(seed / 10_000), (Math.floor(seed / 100) % 100) - 1, seed % 100));
  return Number.isNaN(date.getTime()) || seedOf(date) !== seed || date > new Date() ? null : date;
}

/** The date some days later. */
export const daysAfter = (date: Date, days: number): Date => new Date(date.getTime() + days * 86_400_000);

/** The game of the puzzle: the largest solved one that answers quickly. */
export const gameOfTheDay = (games: GameSummary[]): string | null =>
  largest(games.filter(({ table, about }) => table && Number(about.positions) <= MAX_POSITIONS))?.about
    .game ?? null;

/** The depth of the puzzle of a day, out of the available depths; null for any. */
export function depthOfTheDay(date: Date, depths: number[]): number | null {
  const wanted = WEEK[(date.getUTCDay() + 6) % 7] ?? 3;
  const real = depths.filter((depth) => depth > 1);
  return real.reduce<number | null>(
    (best, depth) => (best === null || Math.abs(depth - wanted) < Math.abs(best - wanted) ? depth : best),
    null,
  );
}

/** The puzzle of a day; null if no game has one. */
export async function puzzleOfTheDay(games: GameSummary[], date: Date): Promise<Daily | null> {
  const game = gameOfTheDay(games);
  if (game === null) return null;
  const { depths } = await api.puzzleDepths(game, 'win');
  const turns = depthOfTheDay(date, depths) ?? undefined;
  const query = { kind: 'win', turns, random: true, seed: seedOf(date), limit: 1 } as const;
  const { puzzles } = await api.puzzles(game, query);
  return puzzles[0] ? { game, puzzle: puzzles[0] } : null;
}

/** Whether this is the puzzle of a day. */
export async function isOfDay(day: Date, { game, kind, position }: PuzzleName): Promise<boolean> {
  const found = await puzzleOfTheDay((await api.games()).games, day);
  return kind === 'win' && found?.game === game && found.puzzle.position === position;
}
