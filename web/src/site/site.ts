// A site as a backend: a folder of static files on any host. What the page asks of a game is answered by the game's
// worker, from the files of its tables; lists and puzzles of large games come from files that were written ahead.

import { ApiError, withQuery, withSeed, type Backend, type Query } from '../api/backend';
import { KeptAnswers } from '../api/kept-answers';
import type { Question } from '../api/rules-module';
import type { GameSummary } from '../api/types';
import { GameLink } from './game-link';
import { IncomingFile } from './incoming-file';
import { gameCalled, type SiteGame, type SiteIndex } from './index-file';
import { depthsOf, puzzleAt, puzzlesOf, tooFar, type PuzzleFile } from './samples';
import { unpacked } from './packed';
import { siteTraffic } from './traffic.svelte';

/** Games whose workers are kept; the one that was asked for longest ago goes first. */
const MOST_KEPT = 2;
/** Files of a game of so many bytes are fetched whole. */
const SMALL = 1 << 20;
/** In a game of so many bytes, puzzles are looked for; in a larger one there are samples. */
const SEARCHABLE = 8 << 20;
/** Bytes of files that a game keeps in memory; phones have less of it. */
const MEMORY = { computer: 64 << 20, phone: 24 << 20 };
/** Seconds without a question after which nothing is being waited for. */
const QUIET = 2;
/** Questions that the rules alone answer: they wait for no file of the game. */
const BY_RULES = ['view', 'refusal'];
/** Questions that a list of games does not ask. */
const PLAYED = ['positions', 'steps', 'stats'];
/** Gigabytes of memory up to which a device is a phone. */
const PHONE = 4;

const bytesOf = (game: SiteGame): number => game.files.reduce((sum, { bytes }) => sum + bytes, 0);

const memoryLimit = (): number => {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return (deviceMemory ?? PHONE + 1) <= PHONE ? MEMORY.phone : MEMORY.computer;
};

/** The part of an address that tells what is looked at. */
interface Place {
  game: string | null;
  position: string | null;
  turns: unknown[];
}

/** Whether a position of a game is looked at that is not its start. */
export const isPosition = ({ game, position, turns }: Place): boolean =>
  game !== null && (turns.length > 0 || position !== null);

/** Answers that were written ahead, by question. */
type Ahead = Record<string, unknown>;

/** A question as files of answers name it: what is asked of the game, with its query by name. */
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
  readonly far = true;
  private readonly links = new Map<string, GameLink>();
  private readonly answers = new KeptAnswers();
  private readonly files = new KeptAnswers();
  /** The file of the module, once it was asked for. */
  private file: IncomingFile | null = null;
  /** The game that the page was opened with, at a position. */
  private begunAt: string | null = null;
  /** Long answers that are on their way: they have the line for themselves. */
  private readonly coming = new Set<Promise<unknown>>();

  constructor(
    private readonly base: string,
    private readonly text: string,
    private readonly index: SiteIndex,
  ) {}

  /** The address of the module that solves. */
  get workshop(): string {
    return new URL(this.index.workshop ?? this.index.module, this.base).href;
  }

  /** The file of the module that answers questions; one that failed is asked for again. */
  private moduleFile(): IncomingFile {
    if (!this.file || this.file.failed) {
      const address = new URL(this.index.module, this.base).href;
      this.file = new IncomingFile(address, fetch(address));
    }
    return this.file;
  }

  /** Takes a module's file that was asked for before the index had come. */
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
      // More questions follow once the turns of a position are looked at: the worker gets ready meanwhile.
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

  isDear(path: string): boolean {
    return bytesOf(this.parts(path).game) > SEARCHABLE;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const { game, what } = this.parts(path);
    return this.gameLink(game).ask<T>({ path: `games/${encodeURIComponent(game.game)}/${what}`, body });
  }

  /** The game of a path, and what is asked of it. */
  private parts(path: string): { game: SiteGame; what: string } {
    const [, name = '', what = ''] = /^games\/([^/]*)\/?(.*)$/.exec(path) ?? [];
    const wanted = decodeURIComponent(name);
    const game = gameCalled(this.index, wanted);
    if (!game) throw new ApiError(`This site has no game called “${wanted}”.`, 404);
    return { game, what };
  }

  /**
   * Whether a question is about a position of which nothing lies ahead: the page was opened there, and the line is for
   * what it needs.
   */
  private isElsewhere(game: SiteGame, { position }: Query): boolean {
    return this.begunAt === game.game && position !== undefined && position !== game.summary.about.start;
  }

  /** Begins to open a game, once long answers have come; an error is told to whoever asks it. */
  private prepare(game: SiteGame): void {
    // A long answer may be asked for at the same moment as this short one.
    setTimeout(() => {
      void Promise.allSettled(this.coming).then(() => {
        this.gameLink(game)
          .open()
          .catch(() => {});
      });
    });
  }

  /**
   * Begins to open the game of an address, unless that is its start: answers about the start lie ahead, and their
   * bytes come first.
   */
  begin(place: Place): void {
    const named = place.game === null ? null : gameCalled(this.index, place.game);
    if (!named || !isPosition(place)) return;
    this.begunAt = named.game;
    this.prepare(named);
  }

  /** Resolves once nothing has been asked for a while. */
  async quiet(): Promise<void> {
    for (let still = 0; still < QUIET; still++) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (this.coming.size > 0 || [...this.links.values()].some(({ busy }) => busy)) still = -1;
    }
  }

  private gameLink(game: SiteGame): GameLink {
    const name = game.game;
    const link = this.links.get(name) ?? this.started(game);
    this.links.delete(name);
    this.links.set(name, link);
    const idle = [...this.links].filter(([other, { busy }]) => other !== name && !busy);
    for (const [oldest, left] of idle.slice(0, Math.max(0, this.links.size - MOST_KEPT))) {
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
      ranges: game.opening?.path ?? null,
      folders: this.index.games.map(({ folder }) => folder),
      whole: bytesOf(game) <= SMALL,
      limit: memoryLimit(),
    };
    return new GameLink(
      opening,
      () => this.moduleFile(),
      (heard) => siteTraffic.hear(game.game, heard),
    );
  }

  /** A small file of the site, as JSON. */
  private smallFile<T>(path: string): Promise<T> {
    return this.files.get(path, async () => {
      const response = await fetch(new URL(path, this.base)).catch(() => null);
      if (!response?.ok)
        throw new ApiError(
          response
            ? `The host answers ${response.status} for “${path}”.`
            : `“${path}” cannot be fetched: the host cannot be reached.`,
          0,
        );
      const bytes = await unpacked(new Uint8Array(await response.arrayBuffer()));
      return JSON.parse(new TextDecoder().decode(bytes)) as T;
    });
  }

  /** Answers that were written ahead; where they do not come, the worker answers. */
  private async ahead(game: SiteGame): Promise<Ahead> {
    if (!game.ahead) return {};
    return this.smallFile<Ahead>(game.ahead.path).catch(() => ({}));
  }

  /** A long answer that was written ahead; undefined where there is none or it does not come: the worker answers. */
  private async longAnswer(game: SiteGame, question: string): Promise<unknown> {
    const answer = game.answers?.find((answer) => answer.question === question);
    if (!answer) return undefined;
    const coming = this.smallFile<unknown>(answer.path).catch(() => undefined);
    this.coming.add(coming);
    try {
      return await coming;
    } finally {
      this.coming.delete(coming);
    }
  }

  /** Puzzles of a large game; null where the worker is to answer. */
  private async sampled(game: SiteGame, what: string, query: Query): Promise<unknown> {
    if (bytesOf(game) <= SEARCHABLE) return null;
    if (what === 'find') throw tooFar();
    if (what !== 'puzzles' && what !== 'puzzles/depths') return null;
    // A puzzle of an address is looked at by itself, unless it is one of the samples.
    const named = query.position !== undefined;
    if (!game.puzzles) {
      if (named) return null;
      throw tooFar();
    }
    const file = await this.smallFile<PuzzleFile>(game.puzzles.path);
    if (named) return puzzleAt(file, query);
    return what === 'puzzles' ? puzzlesOf(file, query) : depthsOf(file, query);
  }
}

/** Opens the site whose index has this address; it may have been asked for already. */
export async function openSite(address: string, asked: Promise<Response> | null): Promise<Site> {
  const place = new URL(address, document.baseURI);
  const response = await (asked ?? fetch(place, { cache: 'no-cache' })).catch(() => null);
  if (!response?.ok)
    throw new ApiError(
      response
        ? `The host answers ${response.status} for “${address}”.`
        : `“${address}” cannot be fetched: the host cannot be reached.`,
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
