// The backend for games of this browser: each request goes to the worker of its game.

import { ApiError, withSeed, type Backend, type Query } from '../api/backend';
import { readGuest } from '../api/guest-name';
import { GuestGame } from './guest-game.svelte';
import { WorkerLink, type Workshop } from './worker-link';

/** The number of workers to keep; the least recently used one ends first. */
const MAX_KEPT = 2;

export class Guests implements Backend {
  readonly standalone = false;
  readonly served = false;
  private readonly games = new Map<string, GuestGame>();

  constructor(private readonly workshop: Workshop) {}

  /** The game of a name; null if it is not a game of this browser. */
  game(name: string): GuestGame | null {
    const guest = readGuest(name);
    if (!guest) return null;
    const game = this.games.get(name) ?? new GuestGame(guest, this.workshop);
    this.games.delete(name);
    this.games.set(name, game);
    if (this.games.size > MAX_KEPT) {
      const [oldest, left] = this.games.entries().next().value!;
      left.end();
      this.games.delete(oldest);
    }
    return game;
  }

  /** Starts a worker for checking the texts of boards. */
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

/** Replaces the canonical name in a description, which may not open the game here, with the name in addresses. */
function renamed<T>(answer: T, name: string): T {
  const { about } = answer as { about: object };
  return { ...answer, about: { ...about, game: name } };
}

let opened: Guests | null = null;

/** Enables games that are solved in the browser. */
export function openGuests(workshop: Workshop): Guests {
  opened = new Guests(workshop);
  return opened;
}

/** The games of this browser; null if the page has no workers for them. */
export const guests = (): Guests | null => opened;
