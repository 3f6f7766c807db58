// Groups games that differ only in size and rules into families, which the home screen shows as one card each.

import type { GameSummary } from '../api/types';

export interface Family {
  name: string;
  /** The solved games, smallest first. */
  solved: GameSummary[];
  unsolved: GameSummary[];
}

/** Whether a table or a published result has the value of a game's start. */
export const isDecided = ({ table, known }: GameSummary): boolean => table || known !== null;

const size = ({ about }: GameSummary): number => Number(about.positions);

/** Groups games into families, in the order of their first games, but families with a solved game first. */
export function familiesOf(games: GameSummary[], familyOf: (game: string) => string): Family[] {
  const families: Family[] = [];
  for (const game of games) {
    const name = familyOf(game.about.game);
    let family = families.find((family) => family.name === name);
    if (!family) families.push((family = { name, solved: [], unsolved: [] }));
    (game.table ? family.solved : family.unsolved).push(game);
  }
  for (const { solved, unsolved } of families) {
    for (const list of [solved, unsolved]) list.sort((a, b) => size(a) - size(b));
  }
  return families.sort((a, b) => Number(b.solved.length > 0) - Number(a.solved.length > 0));
}

/** The game with the most positions; the first one in case of a tie. */
export const largest = (games: GameSummary[]): GameSummary | undefined =>
  games.reduce<GameSummary | undefined>(
    (best, game) => (best && size(best) >= size(game) ? best : game),
    undefined,
  );
