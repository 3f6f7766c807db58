// The games of this browser as a backend: a question goes to the worker of its game.

import { ApiError, withSeed, type Backend, type Query } from '../api/backend';
import { readGuest } from '../api/guest-name';
import { GuestGame } from './guest-game.svelte';
import { WorkerLink, type Workshop } from './worker-link';

/** Games whose workers are kept; the one that was asked for longest ago goes first. */
const MOST_KEPT = 2;

export class Guests implements Backend {
  readonly standalone = false;
  readonly served = false;
  private readonly games = new Map<string, GuestGame>();

  constructor(private readonly workshop: Workshop) {}

  /** The game of a name; null if it is no name of a game of this browser. */
  game(name: string): GuestGame | null {
    const guest = readGuest(name);
    if (!guest) return null;
    const game = this.games.get(name) ?? new GuestGame(guest, this.workshop);
    this.games.delete(name);
    this.games.set(name, game);
    if (this.games.size > MOST_KEPT) {
      const [oldest, left] = this.games.entries().next().value!;
      left.end();
      this.games.delete(oldest);
    }
    return game;
  }

  /** A worker of its own, to try texts of boards in. */
  trial(): WorkerLink {
    return new WorkerLink(this.workshop, () => {});
  }

  private asked<T>(path: string, question: object): Promise<T> {
    const [, name = '', what = ''] = /^games\/([^/]*)(.*)$/.exec(path) ?? [];
    const game = this.game(decodeURIComponent(name));
    if (!game) throw new ApiError('There is no such game.', 404);
    const answer = game.ask<T>(question, what);
    return what === '' ? answer.then((about) => renamed(about, decodeURIComponent(name))) : answer;
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    return this.asked<T>(path, { query: withSeed(query) });
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return this.asked<T>(path, { body });
  }

  link(): null {
    return null;
  }
}

/** A game's description with the name that leads to it here; the one that it has elsewhere may lead nowhere. */
function renamed<T>(answer: T, name: string): T {
  const { about } = answer as { about: object };
  return { ...answer, about: { ...about, game: name } };
}

let opened: Guests | null = null;

/** The page has workers for games of its own from now on. */
export function openGuests(workshop: Workshop): Guests {
  opened = new Guests(workshop);
  return opened;
}

/** The games of this browser; null where the page has no workers for them. */
export const guests = (): Guests | null => opened;
