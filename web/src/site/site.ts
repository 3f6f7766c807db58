// The backend of a site, which is a folder of static files on any host. The worker of a game answers requests from the
// files of its tables; lists and puzzles of large games come from precomputed files.

import { ApiError, withQuery, withSeed, type Backend, type Query } from '../api/backend';
import { KeptAnswers } from '../api/kept-answers';
import { waiting } from '../api/waiting.svelte';
import type { Question } from '../api/rules-module';
import type { GameSummary } from '../api/types';
import { FetchError, NO_BYTES } from './errors';
import { GameLink } from './game-link';
import { IncomingFile } from './incoming-file';
import { gameCalled, type SiteExtra, type SiteGame, type SiteIndex } from './index-file';
import { depthsOf, puzzleAt, puzzlesOf, tooFar, type PuzzleFile } from './samples';
import { smallFile } from './small-file';
import { siteTraffic } from './traffic.svelte';

/** The number of workers to keep; the least recently used one ends first. */
const MAX_KEPT = 2;
/** Files of games up to this size in bytes are downloaded whole. */
const SMALL = 1 << 20;
/** Games up to this size in bytes are searched for puzzles; larger ones have samples. */
const SEARCHABLE = 8 << 20;
/** The bytes of files that a game keeps in memory. */
const MEMORY = { computer: 64 << 20, phone: 24 << 20 };
/** Seconds without a request after which the page counts as idle. */
const QUIET = 2;
/** Requests that the rules alone can answer, without files of the game. */
const BY_RULES = ['view', 'refusal'];
/** Requests that show that the game is being played, since lists of games do not make them. */
const PLAYED = ['positions', 'steps', 'stats'];
/** Devices with at most this many gigabytes of memory count as phones. */
const PHONE = 4;

const bytesOf = (game: SiteGame): number => game.files.reduce((sum, { bytes }) => sum + bytes, 0);

const memoryLimit = (): number => {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return (deviceMemory ?? PHONE + 1) <= PHONE ? MEMORY.phone : MEMORY.computer;
};

/** The part of an address that names a position. */
interface Place {
  game: string | null;
  position: string | null;
  turns: unknown[];
}

/** Whether an address names a position of a game other than its start. */
export const isPosition = ({ game, position, turns }: Place): boolean =>
  game !== null && (turns.length > 0 || position !== null);

/** Precomputed answers, by the name of the request. */
type Ahead = Record<string, unknown>;

/** The name of a request in files of answers: its path below the game, and its query in alphabetical order. */
function questionName(what: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const texts = given.map(([name, value]) => `${name}=${value}`).sort();
  return texts.length > 0 ? `${what}?${texts.join('&')}` : what;
}

const questionOf = ({ game }: SiteGame, what: string, query: Query): Question => ({
  path: `games/${encodeURIComponent(game)}/${what}`,
  query: withSeed(query),
});

export class Site implements Backend {
  readonly standalone = false;
  readonly served = false;
  readonly isRemote = true;
  private readonly links = new Map<string, GameLink>();
  private readonly answers = new KeptAnswers();
  private readonly files = new KeptAnswers();
  /** The module's file, once it was requested. */
  private file: IncomingFile | null = null;
  /** The game that the page was opened with, at a position. */
  private begunAt: string | null = null;
  /** Pending long answers, which have priority over opening a game. */
  private readonly coming = new Set<Promise<unknown>>();

  constructor(
    private readonly base: string,
    private readonly text: string,
    private readonly index: SiteIndex,
  ) {}

  /** The address of the module that can solve. */
  get workshop(): string {
    return new URL(this.index.workshop ?? this.index.module, this.base).href;
  }

  /** The file of the module that answers requests; retries after a failure. */
  private moduleFile(): IncomingFile {
    if (!this.file || this.file.failed) {
      const address = new URL(this.index.module, this.base).href;
      this.file = new IncomingFile(address, fetch(address));
    }
    return this.file;
  }

  /** Uses a module file that was requested before the index was loaded. */
  expect(address: string, file: IncomingFile): void {
    if (address === this.index.module) this.file = file;
  }

  link(): null {
    return null;
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    if (query.random && query.seed === undefined) return this.asked<T>(path, query);
    return this.answers.get(withQuery(path, query), () => this.asked<T>(path, query));
  }

  private async asked<T>(path: string, query: Query): Promise<T> {
    if (path === 'games') return { games: this.index.games.map(({ summary }) => summary) } as T;
    const { game, what } = this.parts(path);
    if (what === '') return game.summary as T;
    const ahead = this.isElsewhere(game, query) ? {} : await this.ahead(game);
    const question = questionName(what, query);
    const known = ahead[question] ?? (await this.longAnswer(game, question));
    if (known !== undefined) {
      // More requests will follow, so the worker starts in the meantime.
      if (PLAYED.includes(what)) this.prepare(game);
      return known as T;
    }
    const sampled = await this.sampled(game, what, query);
    if (sampled !== null) return sampled as T;
    return this.gameLink(game).ask<T>({ ...questionOf(game, what, query), rules: BY_RULES.includes(what) });
  }

  byRules<T>(path: string, query: Query): Promise<T> {
    const { game, what } = this.parts(path);
    return this.gameLink(game).ask<T>({ ...questionOf(game, what, query), rules: true });
  }

  isSlow(path: string): boolean {
    return bytesOf(this.parts(path).game) > SEARCHABLE;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const { game, what } = this.parts(path);
    return this.gameLink(game).ask<T>({ path: `games/${encodeURIComponent(game.game)}/${what}`, body });
  }

  /** Splits a path into its game and the rest. */
  private parts(path: string): { game: SiteGame; what: string } {
    const [, name = '', what = ''] = /^games\/([^/]*)\/?(.*)$/.exec(path) ?? [];
    const wanted = decodeURIComponent(name);
    const game = gameCalled(this.index, wanted);
    if (!game) throw new ApiError(`This site has no game called “${wanted}”.`, 404);
    return { game, what };
  }

  /**
   * Whether a request is about a position without precomputed answers: the page was opened there, and the connection
   * should be free for what it needs.
   */
  private isElsewhere(game: SiteGame, { position }: Query): boolean {
    return this.begunAt === game.game && position !== undefined && position !== game.summary.about.start;
  }

  /** Starts to open a game once long answers have arrived. Errors surface in later requests. */
  private prepare(game: SiteGame): void {
    // A long answer may be requested right after this short one.
    setTimeout(() => {
      void Promise.allSettled(this.coming).then(() => {
        this.gameLink(game)
          .open()
          .catch(() => {});
      });
    });
  }

  /**
   * Starts to open the game of an address, except at its start, for which there are precomputed answers that should load
   * first.
   */
  begin(place: Place): void {
    const named = place.game === null ? null : gameCalled(this.index, place.game);
    if (!named || !isPosition(place)) return;
    this.begunAt = named.game;
    this.prepare(named);
  }

  /** Resolves once there have been no requests for a while. */
  async quiet(): Promise<void> {
    for (let still = 0; still < QUIET; still++) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (this.coming.size > 0 || [...this.links.values()].some(({ busy }) => busy)) still = -1;
    }
  }

  private gameLink(game: SiteGame): GameLink {
    const name = game.game;
    const known = this.links.get(name);
    const link = known && !known.failed ? known : this.started(game);
    this.links.delete(name);
    this.links.set(name, link);
    const idle = [...this.links].filter(([other, { busy }]) => other !== name && !busy);
    for (const [oldest, left] of idle.slice(0, Math.max(0, this.links.size - MAX_KEPT))) {
      left.end();
      siteTraffic.end(oldest);
      this.links.delete(oldest);
    }
    return link;
  }

  private started(game: SiteGame): GameLink {
    const opening = {
      base: this.base,
      index: this.text,
      game: game.game,
      ranges: game.opening ?? null,
      folders: this.index.games.map(({ folder }) => folder),
      whole: bytesOf(game) <= SMALL,
      limit: memoryLimit(),
    };
    return new GameLink(
      opening,
      () => this.moduleFile(),
      (message) => siteTraffic.update(game.game, message),
    );
  }

  /** A small file of the site, as JSON. */
  private json<T>(file: SiteExtra): Promise<T> {
    return this.files.get(file.path, async () => {
      try {
        const bytes = await waiting.during(smallFile(this.base, file));
        return JSON.parse(new TextDecoder().decode(bytes)) as T;
      } catch (error) {
        const detail = error instanceof FetchError ? error.message : `“${file.path}” is damaged.`;
        throw new ApiError(detail, NO_BYTES);
      }
    });
  }

  /** The precomputed answers; empty if they fail to load, so that the worker answers. */
  private async ahead(game: SiteGame): Promise<Ahead> {
    if (!game.ahead) return {};
    return this.json<Ahead>(game.ahead).catch(() => ({}));
  }

  /** A long precomputed answer; undefined if there is none or it fails to load, so that the worker answers. */
  private async longAnswer(game: SiteGame, question: string): Promise<unknown> {
    const answer = game.answers?.find((answer) => answer.question === question);
    if (!answer) return undefined;
    const coming = this.json<unknown>(answer).catch(() => undefined);
    this.coming.add(coming);
    try {
      return await coming;
    } finally {
      this.coming.delete(coming);
    }
  }

  /** The puzzles of a large game; null if the worker should answer. */
  private async sampled(game: SiteGame, what: string, query: Query): Promise<unknown> {
    if (bytesOf(game) <= SEARCHABLE) return null;
    if (what === 'find') throw tooFar();
    if (what !== 'puzzles' && what !== 'puzzles/depths') return null;
    // A puzzle from an address that is not a sample is checked by the worker.
    const named = query.position !== undefined;
    if (!game.puzzles) {
      if (named) return null;
      throw tooFar();
    }
    const file = await this.json<PuzzleFile>(game.puzzles);
    if (named) return puzzleAt(file, query);
    return what === 'puzzles' ? puzzlesOf(file, query) : depthsOf(file, query);
  }
}

/** Opens the site whose index has this address, which may have been requested already. */
export async function openSite(address: string, asked: Promise<Response> | null): Promise<Site> {
  const place = new URL(address, document.baseURI);
  const response = await waiting.during(asked ?? fetch(place, { cache: 'no-cache' })).catch(() => null);
  if (!response?.ok)
    throw new ApiError(
      response
        ? `The host answered ${response.status} for “${address}”.`
        : `“${address}” could not be loaded: the host is unreachable.`,
      response?.status ?? 0,
    );
  const text = await response.text();
  let index: SiteIndex & { games: { summary: GameSummary }[] };
  try {
    index = JSON.parse(text) as typeof index;
  } catch {
    throw new ApiError(`“${address}” is not the index of a site.`, 0);
  }
  return new Site(new URL('./', place).href, text, index);
}
