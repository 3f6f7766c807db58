// The worker of a site's game: it runs the module with the game, and downloads what requests need. The module cannot
// wait, so each request is repeated with the bytes that were missing until it succeeds. Requests do not wait for each
// other's bytes. Urgent downloads come first: the value of a position before the values of its turns, and of these, the
// turns that the user points at or has begun.

import type { ModuleAnswer, Question, RulesModule } from '../api/rules-module';
import { covers, Download, mergedTo, type ByteRange, type Bytes } from './download';
import { failureOf, FetchError, NO_BYTES, SiteChanged } from './errors';
import { IncomingModule } from './incoming-module';
import { KeptRanges } from './kept-ranges';
import { moduleOf } from './module-file';
import { openingRanges } from './opening-file';
import type { Opening, SiteMessage, SiteSent, SiteTask } from './protocol';
import { smallFile } from './small-file';

/** The status of an answer that needs more bytes. */
const WAITING = 102;
/** The target for the downloads of a request, and the minimum allowed in each round. */
const MAX_REQUESTS = 30;
const LEAST_REQUESTS = 8;
/** A safety limit; the module refuses earlier. */
const MAX_ROUNDS = 500;

const tell = (message: SiteMessage): void => self.postMessage(message);

/** Whether a request is urgent: about a position itself, or about some of its turns. */
function isNear({ query }: Question): boolean {
  const { limit, moves } = (query ?? {}) as { limit?: unknown; moves?: unknown };
  return limit === 0 || Boolean(moves);
}

/** The ranges that opening the game reads; empty if they fail to load, so that each is requested separately. */
async function rangesOf({ base, ranges }: Opening): Promise<Bytes[]> {
  if (ranges === null) return [];
  try {
    return openingRanges(await smallFile(base, ranges)) ?? [];
  } catch {
    return [];
  }
}

/** A range in flight. */
interface Coming {
  range: ByteRange;
  bytes: Promise<Bytes>;
}

class SiteGameWorker {
  /** The module, once it knows the rules of the game. */
  private readonly rules: Promise<RulesModule>;
  /** Resolves once the game's files are open. */
  readonly opened: Promise<ModuleAnswer>;
  private readonly coming = new Set<Coming>();
  private kept: KeptRanges | null = null;
  private module: RulesModule | null = null;
  private traffic = { asked: 0, wanted: 0, came: 0 };
  private requests = 0;
  private bytes = 0;
  private readonly download: Download;

  constructor(
    private readonly opening: Opening,
    private readonly incoming: IncomingModule,
  ) {
    this.download = new Download(opening.base, (bytes) => {
      this.traffic.came += bytes;
      this.bytes += bytes;
      this.tellTraffic();
    });
    this.rules = this.begun();
    this.opened = this.open();
    // Errors surface where these promises are awaited.
    for (const promise of [this.rules, this.opened]) promise.catch(() => {});
  }

  private async begun(): Promise<RulesModule> {
    const module = await moduleOf(this.incoming.parts());
    const { index, limit, game } = this.opening;
    const fault = module.site(index, limit);
    if (fault) throw new FetchError(fault);
    // The files are still missing, but from now on the module knows the rules.
    module.siteGame(game);
    this.module = module;
    return module;
  }

  private async open(): Promise<ModuleAnswer> {
    const { opening } = this;
    const [module, ranges, kept] = await Promise.all([
      this.rules,
      // The module has priority, since the board is shown once it has arrived.
      this.incoming.nearly.then(() => rangesOf(opening)),
      KeptRanges.open(opening.base, opening.folders),
    ]);
    this.kept = kept;
    for (const { path, from, data } of ranges) module.give(path, from, data);
    return this.untilTold(module, () => module.siteGame(opening.game));
  }

  async ask(question: Question): Promise<ModuleAnswer> {
    const module = await this.rules;
    if (question.rules) return module.ask(question);
    await this.opened;
    return this.untilTold(module, () => module.ask(question), isNear(question));
  }

  private async untilTold(
    module: RulesModule,
    attempt: () => ModuleAnswer,
    urgent = true,
  ): Promise<ModuleAnswer> {
    let left = MAX_REQUESTS;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const answer = attempt();
      if (answer.damaged) await this.kept?.drop(answer.damaged);
      if (answer.status !== WAITING) {
        this.tellTraffic();
        return answer;
      }
      const { need } = answer.body as { need: ByteRange[] };
      left -= await this.fetch(module, need, Math.max(left, LEAST_REQUESTS), urgent);
    }
    throw new FetchError('This would load too much of the game’s files.', NO_BYTES);
  }

  /** Downloads ranges in about `most` requests and passes them to the module; returns the number of requests. */
  private async fetch(
    module: RulesModule,
    need: ByteRange[],
    most: number,
    urgent: boolean,
  ): Promise<number> {
    const { whole } = this.opening;
    const wanted = mergedTo(
      most,
      whole ? need.map((range) => ({ ...range, from: 0, to: range.bytes })) : need,
    );
    const given = wanted.map(async (range) => {
      const { path, from, data } = await this.get(range, urgent);
      module.give(path, from, data);
    });
    // If one fails, the others are still passed on, so that they are not downloaded again.
    const failed = (await Promise.allSettled(given)).find((result) => result.status === 'rejected');
    if (failed) throw await this.explained(failed.reason as Error);
    return wanted.length;
  }

  /** The bytes of a range; ranges in flight are not requested again. */
  private get(range: ByteRange, urgent: boolean): Promise<Bytes> {
    const known = [...this.coming].find((coming) => covers(coming.range, range));
    if (known) {
      if (urgent) this.download.hurry(range);
      return known.bytes;
    }
    const coming = { range, bytes: this.fetched(range, urgent) };
    this.coming.add(coming);
    return coming.bytes.finally(() => this.coming.delete(coming));
  }

  private async fetched(range: ByteRange, urgent: boolean): Promise<Bytes> {
    const kept = await this.kept?.find(range);
    if (kept) return kept;
    const length = range.to - range.from;
    this.traffic.asked++;
    this.traffic.wanted += length;
    this.requests++;
    this.tellTraffic();
    try {
      const bytes = await this.download.get(range, urgent);
      this.kept?.keep(bytes);
      return bytes;
    } finally {
      this.traffic.asked--;
      if (this.traffic.asked === 0) this.traffic = { asked: 0, wanted: 0, came: 0 };
      this.tellTraffic();
    }
  }

  /** If a file is missing and the index has changed, the error is that the site was updated. */
  private async explained(error: Error): Promise<Error> {
    if (!(error instanceof FetchError) || error.status !== 404) return error;
    const index = await fetch(new URL('site.json', this.opening.base), { cache: 'no-cache' })
      .then((response) => (response.ok ? response.text() : this.opening.index))
      .catch(() => this.opening.index);
    return index === this.opening.index ? error : new SiteChanged();
  }

  private tellTraffic(): void {
    const { traffic, requests, bytes, module } = this;
    tell({ traffic, requests, bytes, held: module?.held() ?? null, memory: module?.memory() ?? 0 });
  }
}

let game: SiteGameWorker | null = null;
/** The module of the game that is being opened. */
let incoming = new IncomingModule();

async function done(task: SiteTask): Promise<ModuleAnswer> {
  if (task.kind === 'open') {
    incoming = new IncomingModule();
    game = new SiteGameWorker(task.opening, incoming);
    return game.opened;
  }
  if (!game) throw new FetchError('No game is open.');
  return game.ask(task.question);
}

self.onmessage = async ({ data }: MessageEvent<SiteSent>) => {
  if ('module' in data) return incoming.take(data.module);
  const { id, task } = data;
  try {
    tell({ id, answer: await done(task) });
  } catch (error) {
    tell({ id, failure: failureOf(error) });
  }
};
