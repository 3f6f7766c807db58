// The index of a site, site.json (`SiteIndex` in crates/retrograde-table). The page only needs the list of games and the
// paths of their files; the module validates the whole index.

import type { GameSummary } from '../api/types';

export interface SiteFile {
  name: string;
  bytes: number;
}

/** A small precomputed file. */
export interface SiteExtra {
  path: string;
  bytes: number;
}

export interface SiteGame {
  game: string;
  folder: string;
  files: SiteFile[];
  puzzles: SiteExtra | null;
  /** Precomputed answers to the page's first requests. */
  ahead?: SiteExtra | null;
  /** Long precomputed answers, each in a separate file. */
  answers?: (SiteExtra & { question: string })[];
  /** The ranges of its files that opening it reads. */
  opening?: SiteExtra | null;
  summary: GameSummary;
}

export interface SiteIndex {
  module: string;
  /** A module that can also solve, if `module` only answers requests. */
  workshop?: string | null;
  games: SiteGame[];
}

/** Normalises names as people write them: `TouchDown 4x4`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');

/** The game with a name; null if the site does not have it. */
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
