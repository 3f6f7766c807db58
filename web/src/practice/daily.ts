// The puzzle of the day: the same for everybody who has the same games, because it follows from the date alone.

import { api } from '../api/api';
import type { GameSummary, Puzzle } from '../api/types';
import { largest } from '../values/families';
import type { PuzzleName } from '../values/puzzles';

/** Games up to this size answer in a moment. */
const MOST_POSITIONS = 1e9;

/** Turns to the win, from Monday to Sunday: the week becomes harder. */
const WEEK = [3, 3, 5, 5, 7, 7, 9];

export interface Daily {
  game: string;
  puzzle: Puzzle;
}

/** The date as a number to draw by, such as 20261123, everywhere the same at the same time. */
export const seedOf = (date: Date): number => Number(date.toISOString().slice(0, 10).replaceAll('-', ''));

/** The game whose puzzles are drawn: the largest solved one that answers in a moment. */
export const gameOfTheDay = (games: GameSummary[]): string | null =>
  largest(games.filter(({ table, about }) => table && Number(about.positions) <= MOST_POSITIONS))?.about
    .game ?? null;

/** How deep the puzzle of a day is, of the depths that there are; null: as it comes. */
export function depthOfTheDay(date: Date, depths: number[]): number | null {
  const wanted = WEEK[(date.getUTCDay() + 6) % 7] ?? 3;
  const real = depths.filter((depth) => depth > 1);
  return real.reduce<number | null>(
    (best, depth) => (best === null || Math.abs(depth - wanted) < Math.abs(best - wanted) ? depth : best),
    null,
  );
}

/** The puzzle of a day; null if no game that is served has one. */
export async function puzzleOfTheDay(games: GameSummary[], date: Date): Promise<Daily | null> {
  const game = gameOfTheDay(games);
  if (game === null) return null;
  const { depths } = await api.puzzleDepths(game, 'win');
  const turns = depthOfTheDay(date, depths) ?? undefined;
  const query = { kind: 'win', turns, random: true, seed: seedOf(date), limit: 1 } as const;
  const { puzzles } = await api.puzzles(game, query);
  return puzzles[0] ? { game, puzzle: puzzles[0] } : null;
}

/** Whether a puzzle is that of a day. */
export async function isDaily({ game, kind, position }: PuzzleName, date: Date): Promise<boolean> {
  const { games } = await api.games();
  if (kind !== 'win' || gameOfTheDay(games) !== game) return false;
  const daily = await puzzleOfTheDay(games, date);
  return daily?.puzzle.position === position;
}
