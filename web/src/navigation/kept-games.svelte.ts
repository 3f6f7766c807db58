// The current game of each name while the tab is open, so that other screens can link back to it.

import type { Place } from '../values/places';

const NAME = 'retrograde:games';

export interface KeptGame {
  /** The hash that opens it. */
  hash: string;
  /** Its shown position. */
  here: Place;
}

function stored(): Record<string, KeptGame> {
  try {
    return (JSON.parse(sessionStorage.getItem(NAME) ?? '{}') ?? {}) as Record<string, KeptGame>;
  } catch {
    return {};
  }
}

class KeptGames {
  private games = $state.raw(stored());

  of(game: string): KeptGame | undefined {
    return this.games[game];
  }

  keep(game: string, kept: KeptGame): void {
    this.games = { ...this.games, [game]: kept };
    try {
      sessionStorage.setItem(NAME, JSON.stringify(this.games));
    } catch {
      // Storage is full or forbidden: games then last until the page is closed.
    }
  }
}

export const keptGames = new KeptGames();
