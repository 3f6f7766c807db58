// Caches ranges of files between visits, so that visited positions work offline. Cache Storage does not accept partial
// responses, so a range is stored as a complete response with a made-up address: `tables/…/losses.rgp?bytes=10-20`.
// Addresses contain the digest of a game's files, so ranges of two versions never mix.
//
// There are two generations. When the young one is full, the old one is deleted and the young one takes its place.
// Ranges of the old one that are used again are copied to the young one. This approximates a bounded LRU cache.

import type { ByteRange, Bytes } from './download';

/** The limit in bytes, and as a share of the origin's quota. */
const MAX_KEPT = 200 << 20;
const SHARE = 0.1;

interface Range {
  from: number;
  to: number;
  young: boolean;
}

const NAME = /\?bytes=(\d+)-(\d+)$/;

export class KeptRanges {
  private readonly ranges = new Map<string, Range[]>();
  /** The bytes of the young generation. */
  private bytes = 0;
  /** Serialises changes. */
  private changes: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly base: string,
    private young: Cache,
    private old: Cache,
    private number: number,
    private readonly limit: number,
  ) {}

  private static prefix = (base: string): string => `retrograde-ranges ${base} `;

  /** Opens the cache for a site's files in these folders; null if the browser does not allow it. */
  static async open(base: string, folders: string[]): Promise<KeptRanges | null> {
    if (!('caches' in globalThis)) return null;
    try {
      const { quota } = (await navigator.storage?.estimate()) ?? {};
      const limit = Math.min(MAX_KEPT, (quota ?? Infinity) * SHARE) / 2;
      const prefix = KeptRanges.prefix(base);
      const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
      const numbers = names.map((name) => Number(name.slice(prefix.length))).sort((a, b) => b - a);
      const number = numbers[0] ?? 1;
      for (const gone of numbers.slice(2)) await caches.delete(prefix + gone);
      const [young, old] = await Promise.all([
        caches.open(prefix + number),
        caches.open(prefix + (number - 1)),
      ]);
      const kept = new KeptRanges(base, young, old, number, limit);
      await kept.list(folders);
      return kept;
    } catch {
      // Private windows and full disks: nothing is cached.
      return null;
    }
  }

  /** Lists the cached ranges, and deletes those of files that the site no longer has. */
  private async list(folders: string[]): Promise<void> {
    for (const [cache, young] of [
      [this.old, false],
      [this.young, true],
    ] as const)
      for (const { url } of await cache.keys()) {
        const [, from, to] = NAME.exec(url) ?? [];
        const path = url.slice(this.base.length).replace(NAME, '');
        if (to === undefined || !folders.some((folder) => path.startsWith(`${folder}/`))) {
          await cache.delete(url);
          continue;
        }
        this.note(path, { from: Number(from), to: Number(to), young });
      }
  }

  private note(path: string, range: Range): void {
    const known = this.ranges.get(path) ?? [];
    known.push(range);
    this.ranges.set(path, known);
    if (range.young) this.bytes += range.to - range.from;
  }

  private address(path: string, { from, to }: { from: number; to: number }): string {
    return `${this.base}${path}?bytes=${from}-${to}`;
  }

  /** The cached range that contains this range; null if there is none. */
  async find({ path, from, to }: ByteRange): Promise<Bytes | null> {
    const found = this.ranges.get(path)?.find((range) => range.from <= from && to <= range.to);
    if (!found) return null;
    const address = this.address(path, found);
    const response = await (found.young ? this.young : this.old).match(address).catch(() => undefined);
    const data = response && new Uint8Array(await response.arrayBuffer());
    if (data?.length !== found.to - found.from) {
      this.forget(path, found);
      return null;
    }
    const bytes = { path, from: found.from, data };
    if (!found.young) {
      this.forget(path, found);
      this.keep(bytes);
    }
    return bytes;
  }

  private forget(path: string, range: Range): void {
    const known = this.ranges.get(path) ?? [];
    this.ranges.set(
      path,
      known.filter((other) => other !== range),
    );
  }

  /** Caches downloaded bytes. */
  keep({ path, from, data }: Bytes): void {
    this.changes = this.changes.then(async () => {
      try {
        if (data.length > this.limit) return;
        if (this.bytes + data.length > this.limit) await this.age();
        const range = { from, to: from + data.length, young: true };
        await this.young.put(this.address(path, range), new Response(data));
        this.note(path, range);
      } catch {
        // The disk is full, or storage is forbidden: the bytes are used but not cached.
      }
    });
  }

  /** Deletes the old generation and starts a new young one. */
  private async age(): Promise<void> {
    const prefix = KeptRanges.prefix(this.base);
    await caches.delete(prefix + (this.number - 1));
    this.number++;
    [this.old, this.young] = [this.young, await caches.open(prefix + this.number)];
    for (const [path, ranges] of this.ranges)
      this.ranges.set(
        path,
        ranges.filter(({ young }) => young).map((range) => ({ ...range, young: false })),
      );
    this.bytes = 0;
  }

  /** Deletes cached ranges that overlap with damaged ranges. */
  async drop(ranges: ByteRange[]): Promise<void> {
    await this.changes;
    for (const { path, from, to } of ranges)
      for (const range of this.ranges.get(path) ?? [])
        if (range.from < to && from < range.to) {
          this.forget(path, range);
          await (range.young ? this.young : this.old).delete(this.address(path, range)).catch(() => false);
        }
  }
}
