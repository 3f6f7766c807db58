// Downloads ranges of a site's files: merges nearby ranges, limits parallel requests, and checks responses. The module
// checks the bytes, block by block.

import { attempts, cut, inTime, refusal } from './attempts';
import { FetchError } from './errors';

/** The bytes `from..to` of a piece of a file; `bytes` is the length of the piece. */
export interface ByteRange {
  path: string;
  from: number;
  to: number;
  bytes: number;
}

/** Downloaded bytes. */
export interface Bytes {
  path: string;
  from: number;
  data: Uint8Array<ArrayBuffer>;
}

/** Ranges with smaller gaps become one request: downloading the gap takes about as long as a round trip. */
const NEAR = 4096;
/** The bytes of gaps that may be downloaded to reduce the number of requests. */
const IN_VAIN = 100_000;
/** Parallel requests. Without HTTP/2, browsers open six connections to a host and queue other requests. */
const PARALLEL = 32;
/** Bytes in flight for requests that are not urgent. More would delay urgent ones; this much saturates 3.5 Mbit/s with
 * a round trip of 150 ms, or 17 Mbit/s with 30 ms. */
const UNDER_WAY = 64 << 10;
/** The largest piece to download whole from a host that does not support ranges. */
const MAX_WHOLE = 8 << 20;

const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Merges ranges of the same piece that overlap or are close to each other. */
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
 * Merges the closest ranges until at most `most` are left, or until their gaps would exceed `vain` bytes in total.
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

/** Parses a Content-Range header: `bytes 10-19/100`. */
function contentRange(text: string | null): { from: number; to: number; bytes: number } | null {
  const [, from, last, bytes] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(text ?? '') ?? [];
  return bytes === undefined ? null : { from: Number(from), to: Number(last) + 1, bytes: Number(bytes) };
}

/** Reads a response of at most `most` bytes, calling `onBytes` with the length of each chunk. */
async function body(
  response: Response,
  most: number,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(await response.arrayBuffer());
  const data = new Uint8Array(most);
  let length = 0;
  for (;;) {
    const { done, value } = await inTime(reader.read());
    if (done) return data.subarray(0, length);
    if (length + value.length > most) throw new FetchError(`The host sent more bytes than expected.`);
    data.set(value, length);
    length += value.length;
    onBytes(value.length);
  }
}

/** A queued range. */
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
  /** The bytes of requests in flight. */
  private underWay = 0;
  /** The queue, urgent ranges first. */
  private readonly queue: Queued[] = [];

  constructor(
    private readonly base: string,
    /** Called with the number of bytes as they arrive. */
    private readonly onBytes: (bytes: number) => void,
  ) {}

  /** Downloads a range of a piece, or the whole piece if the host does not support ranges. Urgent requests come first. */
  async get(range: ByteRange, urgent = false): Promise<Bytes> {
    const queued = await this.turnOf(range, urgent);
    try {
      return await attempts(range.path, (signal) =>
        this.attempt(range, queued.urgent ? 'high' : 'low', signal),
      );
    } finally {
      this.running--;
      this.underWay -= lengthOf(range);
      this.beginNext();
    }
  }

  /** Makes queued ranges that contain `range` urgent. */
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

  private async attempt(
    { path, from, to, bytes }: ByteRange,
    priority: RequestPriority,
    signal: AbortSignal,
  ): Promise<Bytes> {
    const whole = from === 0 && to === bytes;
    // The browser's cache would serialise requests for ranges of the same file, so it is bypassed; kept-ranges.ts caches
    // them instead.
    const headers: HeadersInit = whole ? {} : { range: `bytes=${from}-${to - 1}` };
    const cache: RequestCache = whole ? 'default' : 'no-store';
    const response = await inTime(fetch(new URL(path, this.base), { headers, cache, priority, signal }));
    if (!response.ok) throw refusal(response.status, path);
    if (response.status !== 206) {
      if (!whole && bytes > MAX_WHOLE)
        throw new FetchError(
          `This host only sends whole files, and “${path}” has ${size(bytes)}. Export the site with smaller files (\`--piece-size\`), or use a host that supports range requests.`,
        );
      const data = await body(response, bytes, this.onBytes);
      if (data.length !== bytes) throw cut(path);
      return { path, from: 0, data };
    }
    const sentRange = contentRange(response.headers.get('content-range'));
    if (sentRange?.from !== from || sentRange.to !== to || sentRange.bytes !== bytes) {
      const found = response.headers.get('content-range') ?? 'no range';
      throw new FetchError(
        `The host answered a request for bytes ${from} to ${to - 1} of ${bytes} of “${path}” with ${found}.`,
      );
    }
    const data = await body(response, to - from, this.onBytes);
    if (data.length !== to - from) throw cut(path);
    return { path, from, data };
  }
}
