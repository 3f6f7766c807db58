// The downloads in progress for the games of a site, for the progress bar and for tests.

import type { TrafficMessage } from './game-link';

class SiteTraffic {
  /** The share of requested bytes that has arrived; null if there are no downloads. */
  share = $state<number | null>(null);
  private readonly games = new Map<string, TrafficMessage>();

  update(game: string, message: TrafficMessage): void {
    this.games.set(game, message);
    const all = [...this.games.values()].map(({ traffic }) => traffic).filter(({ asked }) => asked > 0);
    const sum = (count: (traffic: TrafficMessage['traffic']) => number) =>
      all.reduce((total, traffic) => total + count(traffic), 0);
    const wanted = sum((traffic) => traffic.wanted);
    this.share = all.length > 0 ? sum((traffic) => traffic.came) / Math.max(wanted, 1) : null;
    // For developers and tests.
    document.documentElement.dataset.site = JSON.stringify(Object.fromEntries(this.games));
  }

  end(game: string): void {
    this.games.delete(game);
  }
}

export const siteTraffic = new SiteTraffic();
