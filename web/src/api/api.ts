// The page's requests, one function each. They go to the server, or to a backend inside a standalone page; games that
// exist only in this browser have a separate backend.

import { ApiError, type Backend, type Query } from './backend';
import { readGuest } from './guest-name';
import { Server } from './server';
import type {
  AnnotatedGame,
  FoundList,
  GameAnswer,
  GameList,
  GameSummary,
  Line,
  PlayedGame,
  Pressure,
  Probe,
  ProbeList,
  PuzzleDepths,
  PuzzleList,
  QueryOf,
  Refusal,
  Rules,
  Statistics,
  Steps,
  View,
} from './types';

let chosen: Backend | null = null;

/** Replaces the server with another backend. Call this before the first request. */
export function useBackend(backend: Backend): void {
  chosen = backend;
}

let guests: Backend | null = null;

/** Sets the backend for games of this browser. */
export function useGuests(backend: Backend): void {
  guests = backend;
}

function backend(game?: string): Backend {
  if (game !== undefined && guests && readGuest(game)) return guests;
  chosen ??= new Server();
  return chosen;
}

/** The path of a resource of a game. */
export function gamePath(game: string, what = ''): string {
  const name = encodeURIComponent(game);
  return what ? `games/${name}/${what}` : `games/${name}`;
}

function get<T>(game: string, what: string, query: Query): Promise<T> {
  return backend(game).get<T>(gamePath(game, what), query);
}

/** The HTTP status of an answer that was not found in time. */
const NOT_IN_TIME = 503;

/** The answer of a search. Rejects if a limit ended it before anything was found: that is not an empty list. */
async function found<T extends { incomplete?: boolean }>(
  answer: Promise<T>,
  list: (answer: T) => unknown[],
): Promise<T> {
  const searched = await answer;
  if (searched.incomplete && list(searched).length === 0) {
    throw new ApiError('The time limit was reached before anything was found.', NOT_IN_TIME);
  }
  return searched;
}

type Picture = 'picture.svg' | 'picture.png' | 'picture.gif';

export const api = {
  /** Whether the page is standalone, with one game in it. */
  get standalone(): boolean {
    return backend().standalone;
  },
  /** Whether there is a server. */
  get served(): boolean {
    return backend().served;
  },
  /** Whether the values of a game are remote. */
  isRemote: (game: string) => backend(game).isRemote ?? false,
  /** Whether requests for many values of a game should wait until the user asks for them. */
  isSlow: (game: string) => backend(game).isSlow?.(gamePath(game)) ?? false,
  /** Requests steps and turns from the rules alone, for games with remote values; null for other games. */
  byRules: (game: string, query: QueryOf<'positions'>): Promise<[Steps, Probe]> | null => {
    const chosen = backend(game);
    if (!chosen.byRules) return null;
    const ask = <T>(what: string) => chosen.byRules!<T>(gamePath(game, what), query);
    return Promise.all([ask<Steps>('steps'), ask<Probe>('positions')]);
  },
  games: () => backend().get<GameList>('games'),
  /** Whether this page can open a game: it is listed or solved in the browser, or a server may know it. */
  opens: (game: string, listed: GameSummary[]): boolean =>
    backend().served || readGuest(game) !== null || listed.some(({ about }) => about.game === game),
  game: (game: string) => backend(game).get<GameAnswer>(gamePath(game)),
  /** The rules in a few sentences, with boards. */
  rules: (game: string) => get<Rules>(game, 'rules', {}),
  statistics: (game: string) => get<Statistics>(game, 'stats', {}),
  probe: (game: string, query: QueryOf<'positions'>) => get<Probe>(game, 'positions', query),
  /** How many turns hold, and for each turn of a page, how many replies hold. */
  pressure: (game: string, query: QueryOf<'pressure'>) => get<Pressure>(game, 'pressure', query),
  probeAll: (game: string, positions: string[]) =>
    backend(game).post<ProbeList>(gamePath(game, 'positions'), { positions }),
  /** All steps, from all pages. */
  steps: async (game: string, query: QueryOf<'steps'>): Promise<Steps> => {
    const steps = await get<Steps>(game, 'steps', query);
    let { steps_available } = steps;
    for (let next = steps.page?.next; next !== undefined;) {
      const more = await get<Steps>(game, 'steps', { ...query, offset: next });
      steps_available = steps_available.concat(more.steps_available);
      next = more.page?.next;
    }
    return { ...steps, steps_available, page: undefined };
  },
  /** Why the touched squares are not a legal step. */
  refusal: (game: string, query: QueryOf<'refusal'>) => get<Refusal>(game, 'refusal', query),
  line: (game: string, query: QueryOf<'line'>) => get<Line>(game, 'line', query),
  find: (game: string, query: QueryOf<'find'>) =>
    found(get<FoundList>(game, 'find', query), ({ positions }) => positions),
  puzzles: (game: string, query: QueryOf<'puzzles'>) =>
    found(get<PuzzleList>(game, 'puzzles', query), ({ puzzles }) => puzzles),
  /** The turns to the end for which there are puzzles. */
  puzzleDepths: (game: string, kind: 'win' | 'save') => get<PuzzleDepths>(game, 'puzzles/depths', { kind }),
  annotate: (game: string, played: PlayedGame) =>
    backend(game).post<AnnotatedGame>(gamePath(game, 'annotate'), played),
  view: (game: string, query: QueryOf<'view'>) => get<View>(game, 'view', query),
  /** The address of a picture; null without a server. */
  picture: <P extends Picture>(game: string, kind: P, query: QueryOf<P>) =>
    backend(game).link(gamePath(game, kind), query as Query),
};
