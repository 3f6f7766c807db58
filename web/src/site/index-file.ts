// The games of a site, as its site.json lists them (`SiteIndex` in crates/retrograde-table). The module reads and checks it
// again; the page needs the list of games and where their files are.

import type { GameSummary } from '../api/types';

export interface SiteFile {
  name: string;
  bytes: number;
}

/** A small file that was written ahead. */
export interface SiteExtra {
  path: string;
  bytes: number;
}

export interface SiteGame {
  game: string;
  folder: string;
  files: SiteFile[];
  puzzles: SiteExtra | null;
  /** Answers to what the page asks first, by question. */
  ahead?: SiteExtra | null;
  /** Long answers to what the page asks first, each in a file of its own. */
  answers?: (SiteExtra & { question: string })[];
  /** Ranges of its files that opening it reads. */
  opening?: SiteExtra | null;
  summary: GameSummary;
}

export interface SiteIndex {
  module: string;
  /** A module that also solves, where `module` answers questions alone. */
  workshop?: string | null;
  games: SiteGame[];
}

/** Names as people write them: `TouchDown 4x4`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');

/** The game of a name; null if the site has none. */
export function gameCalled(index: SiteIndex, name: string): SiteGame | null {
  const exact = index.games.find(({ game }) => game === name);
  if (exact) return exact;
  const alike = [plain(name), plain(name.replace(' ', ':'))];
  return (
    index.games.find(({ game, summary }) =>
      [game, summary.title].some((known) => alike.includes(plain(known))),
    ) ?? null
  );
}
