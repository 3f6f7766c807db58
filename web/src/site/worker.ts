// The worker of a site's game: it has the module with the game open, and fetches what questions need. The module cannot
// wait, so it is asked, told the bytes that it lacks, and asked again. Questions do not wait for each other's bytes.

import { RulesModule, type ModuleAnswer, type Question } from '../api/rules-module';
import { Download, mergedTo, type ByteRange, type Bytes } from './download';
import { failureOf, FetchError, NO_BYTES, SiteChanged } from './errors';
import { KeptRanges } from './kept-ranges';
import { moduleOf } from './module-file';
import { openingRanges } from './opening-file';
import type { ModuleTold, Opening, SiteSent, SiteTask, SiteTold } from './protocol';

/** The module waits for bytes. */
const WAITING = 102;
/** Requests that a question should not exceed, and those of each round of it all the same. */
const MOST_REQUESTS = 30;
const LEAST_REQUESTS = 8;
/** The module refuses earlier; this is a page's own end. */
const MOST_ROUNDS = 500;

const tell = (told: SiteTold): void => self.postMessage(told);

/** The ranges that opening the game reads. Where they do not come, the game asks for each. */
async function rangesOf({ base, ranges }: Opening): Promise<Bytes[]> {
  if (ranges === null) return [];
  try {
    const response = await fetch(new URL(ranges, base));
    return response.ok ? (openingRanges(new Uint8Array(await response.arrayBuffer())) ?? []) : [];
  } catch {
    return [];
  }
}

/** Makes the module of its file. */
async function moduleTold(told: ModuleTold): Promise<RulesModule> {
  if ('failure' in told) throw new FetchError(told.failure.detail, told.failure.status);
  return RulesModule.make(await moduleOf(told.file));
}

class SiteGameWorker {
  /** Ranges that are on their way, by what they are. */
  private readonly coming = new Map<string, Promise<Bytes>>();
  private traffic = { asked: 0, wanted: 0, came: 0 };
  private requests = 0;
  private bytes = 0;
  private readonly download: Download;

  private constructor(
    private readonly opening: Opening,
    private readonly module: RulesModule,
    private readonly kept: KeptRanges | null,
  ) {
    this.download = new Download(opening.base, (bytes) => {
      this.traffic.came += bytes;
      this.bytes += bytes;
      this.tellTraffic();
    });
  }

  static async open(opening: Opening, told: Promise<ModuleTold>): Promise<[SiteGameWorker, ModuleAnswer]> {
    const [module, ranges, kept] = await Promise.all([
      told.then(moduleTold),
      rangesOf(opening),
      KeptRanges.open(opening.base, opening.folders),
    ]);
    const fault = module.site(opening.index, opening.limit);
    if (fault) throw new FetchError(fault);
    const game = new SiteGameWorker(opening, module, kept);
    for (const { path, from, data } of ranges) module.give(path, from, data);
    return [game, await game.untilTold(() => module.siteGame(opening.game))];
  }

  ask(question: Question): Promise<ModuleAnswer> {
    const { limit } = (question.query ?? {}) as { limit?: unknown };
    return this.untilTold(() => this.module.ask(question), limit === 0 ? 'high' : 'low');
  }

  private async untilTold(
    attempt: () => ModuleAnswer,
    priority: RequestPriority = 'high',
  ): Promise<ModuleAnswer> {
    let left = MOST_REQUESTS;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const answer = attempt();
      if (answer.damaged) await this.kept?.drop(answer.damaged);
      if (answer.status !== WAITING) {
        this.tellTraffic();
        return answer;
      }
      const { need } = answer.body as { need: ByteRange[] };
      left -= await this.fetch(need, Math.max(left, LEAST_REQUESTS), priority);
    }
    throw new FetchError('This question needs ever more of the game’s files.', NO_BYTES);
  }

  /** Fetches ranges, by some `most` requests, and gives them to the module; the number of requests. */
  private async fetch(need: ByteRange[], most: number, priority: RequestPriority): Promise<number> {
    const { whole } = this.opening;
    const wanted = mergedTo(
      most,
      whole ? need.map((range) => ({ ...range, from: 0, to: range.bytes })) : need,
    );
    const given = wanted.map(async (range) => {
      const { path, from, data } = await this.get(range, priority);
      this.module.give(path, from, data);
    });
    // The others are given too where one fails, so that they need not come again.
    const failed = (await Promise.allSettled(given)).find((result) => result.status === 'rejected');
    if (failed) throw await this.explained(failed.reason as Error);
    return wanted.length;
  }

  private get(range: ByteRange, priority: RequestPriority): Promise<Bytes> {
    const name = `${range.path} ${range.from} ${range.to}`;
    const coming =
      this.coming.get(name) ?? this.fetched(range, priority).finally(() => this.coming.delete(name));
    this.coming.set(name, coming);
    return coming;
  }

  private async fetched(range: ByteRange, priority: RequestPriority): Promise<Bytes> {
    const kept = await this.kept?.find(range);
    if (kept) return kept;
    const length = range.to - range.from;
    this.traffic.asked++;
    this.traffic.wanted += length;
    this.requests++;
    this.tellTraffic();
    try {
      const bytes = await this.download.get(range, priority);
      this.kept?.keep(bytes);
      return bytes;
    } finally {
      this.traffic.asked--;
      if (this.traffic.asked === 0) this.traffic = { asked: 0, wanted: 0, came: 0 };
      this.tellTraffic();
    }
  }

  /** Where a file is missing, the site may have been updated: then it has another index. */
  private async explained(error: Error): Promise<Error> {
    if (!(error instanceof FetchError) || error.status !== 404) return error;
    const index = await fetch(new URL('site.json', this.opening.base), { cache: 'no-cache' })
      .then((response) => (response.ok ? response.text() : this.opening.index))
      .catch(() => this.opening.index);
    return index === this.opening.index ? error : new SiteChanged();
  }

  private tellTraffic(): void {
    const { traffic, requests, bytes } = this;
    tell({ traffic, requests, bytes, held: this.module.held(), memory: this.module.memory() });
  }
}

let game: Promise<[SiteGameWorker, ModuleAnswer]> | null = null;
/** Takes the module that is on its way. */
let takeModule: (told: ModuleTold) => void = () => {};

async function done(task: SiteTask): Promise<ModuleAnswer> {
  if (task.kind === 'open') {
    game = SiteGameWorker.open(task.opening, new Promise((resolve) => (takeModule = resolve)));
    return (await game)[1];
  }
  if (!game) throw new FetchError('No game is open.');
  return (await game)[0].ask(task.question);
}

self.onmessage = async ({ data }: MessageEvent<SiteSent>) => {
  if ('module' in data) return takeModule(data.module);
  const { id, task } = data;
  try {
    tell({ id, answer: await done(task) });
  } catch (error) {
    tell({ id, failure: failureOf(error) });
  }
};
