// The game that is being played of each kind, for as long as the tab is open: other screens have addresses
// of their own, and lead back to it.

import type { Place } from '../values/places';

const NAME = 'retrograde:games';

export interface KeptGame {
  /** The part after # that opens it. */
  hash: string;
  /** The position that is shown in it. */
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
      // Full or forbidden: then the games last until the page is left.
    }
  }
}

export const keptGames = new KeptGames();
