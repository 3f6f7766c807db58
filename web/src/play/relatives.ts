// Solved games of the same family, to offer if a game is not solved.

import { api } from '../api/api';
import type { GameSummary } from '../api/types';
import { familyOf } from '../words/games';

/** Empty if the request fails. */
export async function solvedRelatives(game: string): Promise<GameSummary[]> {
  const { games } = await api.games().catch(() => ({ games: [] }));
  return games.filter((other) => other.table && familyOf(other.about.game) === familyOf(game));
}
