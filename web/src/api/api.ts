// The questions that the page asks, one function each. Every question goes to one backend: the server,
// unless the page stands alone; games that live in this browser alone have a backend of their own.

import type { Backend, Query } from './backend';
import { readGuest } from './guest-name';
import { Server } from './server';
import type {
  AnnotatedGame,
  FoundList,
  GameAnswer,
  GameList,
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

/** Answers come from another backend than the server; to be called before the first question. */
export function useBackend(backend: Backend): void {
  chosen = backend;
}

let guests: Backend | null = null;

/** Answers about the games of this browser come from this backend. */
export function useGuests(backend: Backend): void {
  guests = backend;
}

function backend(game?: string): Backend {
  if (game !== undefined && guests && readGuest(game)) return guests;
  chosen ??= new Server();
  return chosen;
}

/** The path of something that belongs to a game. */
export function gamePath(game: string, what = ''): string {
  const name = encodeURIComponent(game);
  return what ? `games/${name}/${what}` : `games/${name}`;
}

function get<T>(game: string, what: string, query: Query): Promise<T> {
  return backend(game).get<T>(gamePath(game, what), query);
}

type Picture = 'picture.svg' | 'picture.png' | 'picture.gif';

export const api = {
  /** Whether the page stands alone, with one game in it. */
  get standalone(): boolean {
    return backend().standalone;
  },
  /** Whether a server answers. */
  get served(): boolean {
    return backend().served;
  },
  /** Whether the values of a game come from far away. */
  far: (game: string) => backend(game).far ?? false,
  /** Whether many values of a game are only to be asked for when somebody wants them. */
  dear: (game: string) => backend(game).isDear?.(gamePath(game)) ?? false,
  /** What the rules alone tell of steps and turns, where values come from far away; null elsewhere. */
  byRules: (game: string, query: QueryOf<'positions'>): Promise<[Steps, Probe]> | null => {
    const chosen = backend(game);
    if (!chosen.byRules) return null;
    const ask = <T>(what: string) => chosen.byRules!<T>(gamePath(game, what), query);
    return Promise.all([ask<Steps>('steps'), ask<Probe>('positions')]);
  },
  games: () => backend().get<GameList>('games'),
  game: (game: string) => backend(game).get<GameAnswer>(gamePath(game)),
  /** The rules in a few sentences, with boards. */
  rules: (game: string) => get<Rules>(game, 'rules', {}),
  statistics: (game: string) => get<Statistics>(game, 'stats', {}),
  probe: (game: string, query: QueryOf<'positions'>) => get<Probe>(game, 'positions', query),
  /** How many turns hold, and how many replies after each of those of a page. */
  pressure: (game: string, query: QueryOf<'pressure'>) => get<Pressure>(game, 'pressure', query),
  probeAll: (game: string, positions: string[]) =>
    backend(game).post<ProbeList>(gamePath(game, 'positions'), { positions }),
  /** All steps, from as many pages as it takes. */
  steps: async (game: string, query: QueryOf<'steps'>): Promise<Steps> => {
    const steps = await get<Steps>(game, 'steps', query);
    for (let next = steps.page?.next; next !== undefined;) {
      const more = await get<Steps>(game, 'steps', { ...query, offset: next });
      steps.steps_available = steps.steps_available.concat(more.steps_available);
      next = more.page?.next;
    }
    return steps;
  },
  /** Why squares that were touched are no step. */
  refusal: (game: string, query: QueryOf<'refusal'>) => get<Refusal>(game, 'refusal', query),
  line: (game: string, query: QueryOf<'line'>) => get<Line>(game, 'line', query),
  find: (game: string, query: QueryOf<'find'>) => get<FoundList>(game, 'find', query),
  puzzles: (game: string, query: QueryOf<'puzzles'>) => get<PuzzleList>(game, 'puzzles', query),
  /** The numbers of turns for which there are puzzles. */
  puzzleDepths: (game: string, kind: 'win' | 'save' | 'press') =>
    get<PuzzleDepths>(game, 'puzzles/depths', { kind }),
  annotate: (game: string, played: PlayedGame) =>
    backend(game).post<AnnotatedGame>(gamePath(game, 'annotate'), played),
  view: (game: string, query: QueryOf<'view'>) => get<View>(game, 'view', query),
  /** The address of a picture; null where there is no server. */
  picture: <P extends Picture>(game: string, kind: P, query: QueryOf<P>) =>
    backend(game).link(gamePath(game, kind), query as Query),
};
