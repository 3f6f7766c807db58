// The current game of each name while the tab is open, so that other screens can link back to it; and the last game
// against an opponent that has not ended, also after the tab was closed.

import { load, save } from '../storage';
import type { Place } from '../values/places';

const NAME = 'retrograde:games';

export interface KeptGame {
  /** The hash that opens it. */
  hash: string;
  /** Its shown position. */
  here: Place;
  /** Whether this position was reached by playing, not by looking through the game. */
  played: boolean;
}

function stored(): Record<string, KeptGame> {
  try {
    return (JSON.parse(sessionStorage.getItem(NAME) ?? '{}') ?? {}) as Record<string, KeptGame>;
  } catch {
    return {};
  }
}

/** The storage key of the unfinished game. */
const UNFINISHED = 'unfinished';

export interface UnfinishedGame {
  game: string;
  hash: string;
}

class KeptGames {
  private games = $state.raw(stored());
  private last = $state.raw(load<UnfinishedGame | null>(UNFINISHED, null));

  /** The last game against an opponent that has not ended. */
  get unfinished(): UnfinishedGame | null {
    return this.last;
  }

  set unfinished(unfinished: UnfinishedGame | null) {
    this.last = unfinished;
    save(UNFINISHED, unfinished);
  }

  of(game: string): KeptGame | undefined {
    return this.games[game];
  }

  keep(game: string, kept: KeptGame): void {
    this.store({ ...this.games, [game]: kept });
  }

  /** Forgets the current game, so that a new one can begin. */
  leave(game: string): void {
    this.store(Object.fromEntries(Object.entries(this.games).filter(([name]) => name !== game)));
  }

  private store(games: Record<string, KeptGame>): void {
    this.games = games;
    try {
      sessionStorage.setItem(NAME, JSON.stringify(this.games));
    } catch {
      // Storage is full or forbidden: games then last until the page is closed.
    }
  }
}

export const keptGames = new KeptGames();
