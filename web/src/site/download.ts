// Downloads ranges of a site's files: merged where they are near to each other, some at a time, checked, and tried
// again where the connection was cut or slow. What host and network may do is expected here; what the bytes say is
// checked by the module, block by block.

import { FetchError } from './errors';

/** Bytes of a piece of a file: `from` up to `to`; `bytes` is the length of the piece. */
export interface ByteRange {
  path: string;
  from: number;
  to: number;
  bytes: number;
}

/** Bytes that came. */
export interface Bytes {
  path: string;
  from: number;
  data: Uint8Array<ArrayBuffer>;
}

/** Ranges nearer to each other than this are one request: as much as comes in about the time of a request's way. */
const NEAR = 4096;
/** Bytes that may come in vain so that a question has fewer requests. */
const IN_VAIN = 100_000;
/** Requests at a time. To a host without HTTP/2 the browser makes six connections, and lets the others wait. */
const PARALLEL = 32;
/** Bytes that may be on their way for questions that can wait. More would be in the way of what is nearer, and so
 * much fills a line of 3.5 Mbit/s with 150 ms there and back, or one of 17 with 30. */
const UNDER_WAY = 64 << 10;
/** A host that sends no ranges sends the whole piece, if it is not larger. */
const MOST_WHOLE = 8 << 20;
/** The pauses before a request is tried again, in milliseconds. */
const PAUSES = [500, 2000];
/** A connection on which nothing comes for so long is given up, in milliseconds. */
const SILENCE = 20_000;

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Merges ranges of the same piece that overlap or are near to each other. */
export function merged(ranges: ByteRange[], near = NEAR): ByteRange[] {
  const sorted = [...ranges].sort((a, b) => (a.path === b.path ? a.from - b.from : a.path < b.path ? -1 : 1));
  const found: ByteRange[] = [];
  for (const range of sorted) {
    const last = found.at(-1);
    if (last?.path === range.path && range.from - last.to <= near) last.to = Math.max(last.to, range.to);
    else found.push({ ...range });
  }
  return found;
}

/**
 * Merges until at most so many ranges are left, the nearest first, as long as the bytes between them that come in vain
 * are no more than `vain` in all.
 */
export function mergedTo(most: number, ranges: ByteRange[], vain = IN_VAIN): ByteRange[] {
  const found = merged(ranges);
  while (found.length > most) {
    let nearest: { at: number; gap: number } | null = null;
    for (const [at, range] of found.entries()) {
      const next = found[at + 1];
      if (next?.path !== range.path) continue;
      const gap = next.from - range.to;
      if (nearest === null || gap < nearest.gap) nearest = { at, gap };
    }
    if (nearest === null || nearest.gap > vain) break;
    vain -= nearest.gap;
    const [range, next] = found.slice(nearest.at, nearest.at + 2) as [ByteRange, ByteRange];
    found.splice(nearest.at, 2, { ...range, to: Math.max(range.to, next.to) });
  }
  return found;
}

/** The range that an answer says it is: `bytes 10-19/100`. */
function contentRange(text: string | null): { from: number; to: number; bytes: number } | null {
  const [, from, last, bytes] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(text ?? '') ?? [];
  return bytes === undefined ? null : { from: Number(from), to: Number(last) + 1, bytes: Number(bytes) };
}

/** The bytes of an answer, at most so many; `heard` is told whenever some come. */
async function body(
  response: Response,
  most: number,
  heard: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(await response.arrayBuffer());
  const data = new Uint8Array(most);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return data.subarray(0, length);
    if (length + value.length > most) {
      await reader.cancel();
      throw new FetchError(`The host sends more of a file than there should be.`);
    }
    data.set(value, length);
    length += value.length;
    heard(value.length);
  }
}

/** A range that waits for its request. */
interface Queued {
  range: ByteRange;
  urgent: boolean;
  begin: () => void;
}

const lengthOf = ({ from, to }: ByteRange): number => to - from;

export const covers = (outer: ByteRange, inner: ByteRange): boolean =>
  outer.path === inner.path && outer.from <= inner.from && inner.to <= outer.to;

export class Download {
  private running = 0;
  /** Bytes that were asked for and have not all come. */
  private underWay = 0;
  /** What waits, what is urgent first. */
  private readonly queue: Queued[] = [];

  constructor(
    private readonly base: string,
    /** Hears of bytes as they come. */
    private readonly heard: (bytes: number) => void,
  ) {}

  /** A range of a piece, or all of the piece where the host sends no ranges; what is urgent comes first. */
  async get(range: ByteRange, urgent = false): Promise<Bytes> {
    const queued = await this.turnOf(range, urgent);
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await this.attempt(range, queued.urgent ? 'high' : 'low');
        } catch (error) {
          const wait = PAUSES[attempt];
          if (!(error instanceof FetchError) || !error.passing || wait === undefined) throw error;
          await pause(wait);
        }
      }
    } finally {
      this.running--;
      this.underWay -= lengthOf(range);
      this.beginNext();
    }
  }

  /** Ranges that have a range inside and still wait are urgent from now on. */
  hurry(range: ByteRange): void {
    for (const queued of this.queue.filter((queued) => !queued.urgent && covers(queued.range, range))) {
      this.queue.splice(this.queue.indexOf(queued), 1);
      queued.urgent = true;
      this.enqueue(queued);
    }
    this.beginNext();
  }

  private turnOf(range: ByteRange, urgent: boolean): Promise<Queued> {
    return new Promise((resolve) => {
      const queued = { range, urgent, begin: () => resolve(queued) };
      this.enqueue(queued);
      this.beginNext();
    });
  }

  private enqueue(queued: Queued): void {
    const at = queued.urgent ? this.queue.findIndex(({ urgent }) => !urgent) : -1;
    this.queue.splice(at < 0 ? this.queue.length : at, 0, queued);
  }

  private beginNext(): void {
    for (let next = this.queue[0]; next && this.mayBegin(next); next = this.queue[0]) {
      this.queue.shift();
      this.running++;
      this.underWay += lengthOf(next.range);
      next.begin();
    }
  }

  private mayBegin({ range, urgent }: Queued): boolean {
    const fits = urgent || this.underWay === 0 || this.underWay + lengthOf(range) <= UNDER_WAY;
    return this.running < PARALLEL && fits;
  }

  private async attempt({ path, from, to, bytes }: ByteRange, priority: RequestPriority): Promise<Bytes> {
    const whole = from === 0 && to === bytes;
    // Through the browser's cache ranges of the same file come one after the other: each waits until the one before has
    // been written there. They are kept elsewhere (kept-ranges.ts).
    const abort = new AbortController();
    let silence = setTimeout(() => abort.abort(), SILENCE);
    const heard = (count: number): void => {
      clearTimeout(silence);
      silence = setTimeout(() => abort.abort(), SILENCE);
      this.heard(count);
    };
    try {
      const headers: HeadersInit = whole ? {} : { range: `bytes=${from}-${to - 1}` };
      const cache: RequestCache = whole ? 'default' : 'no-store';
      const response = await fetch(new URL(path, this.base), {
        headers,
        cache,
        priority,
        signal: abort.signal,
      });
      if (!response.ok) throw refusal(response.status, path);
      if (response.status !== 206) {
        if (!whole && bytes > MOST_WHOLE) {
          abort.abort();
          throw new FetchError(
            `This host sends files as a whole only, and “${path}” has ${size(bytes)}. The site has to be exported with smaller files (\`--piece-size\`), or served by a host that answers requests for ranges of bytes.`,
          );
        }
        const data = await body(response, bytes, heard);
        if (data.length !== bytes) throw cut(path);
        return { path, from: 0, data };
      }
      const told = contentRange(response.headers.get('content-range'));
      if (told?.from !== from || told.to !== to || told.bytes !== bytes) {
        const found = response.headers.get('content-range') ?? 'no range';
        throw new FetchError(
          `The host answers for bytes ${from} to ${to - 1} of ${bytes} of “${path}” with ${found}.`,
        );
      }
      const data = await body(response, to - from, heard);
      if (data.length !== to - from) throw cut(path);
      return { path, from, data };
    } catch (error) {
      if (error instanceof FetchError) throw error;
      const slow = abort.signal.aborted;
      throw new FetchError(
        slow
          ? `Nothing came from the host for ${SILENCE / 1000} seconds.`
          : `“${path}” cannot be fetched: the host cannot be reached, or the connection was cut.`,
        0,
        true,
      );
    } finally {
      clearTimeout(silence);
    }
  }
}

const cut = (path: string): FetchError => new FetchError(`“${path}” was cut off on the way.`, 0, true);

const GONE = [404, 410];
const PASSING = [408, 425, 429, 500, 502, 503, 504];

function refusal(status: number, path: string): FetchError {
  if (GONE.includes(status)) return new FetchError(`The host has no “${path}”.`, 404);
  return new FetchError(`The host answers ${status} for “${path}”.`, 0, PASSING.includes(status));
}
