// Solved boards of a game's family, to be offered where the game itself is not solved.

import { api } from '../api/api';
import type { GameSummary } from '../api/types';
import { familyOf } from '../words/games';

/** None if they cannot be asked for. */
export async function solvedRelatives(game: string): Promise<GameSummary[]> {
  const { games } = await api.games().catch(() => ({ games: [] }));
  return games.filter((other) => other.table && familyOf(other.about.game) === familyOf(game));
}
