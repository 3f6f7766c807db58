// Decompresses and instantiates a site's module while it downloads. The page downloads it, since it knows first that it
// will be needed, and a worker decompresses it. It is compressed to a third when the site is written, because many hosts
// do not compress WebAssembly.

import { Decompress } from 'fzstd';
import { RulesModule } from '../api/rules-module';
import { FetchError } from './errors';

type Bytes = Uint8Array<ArrayBuffer>;

/** The magic numbers of zstd and gzip. */
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const GZIP = [0x1f, 0x8b];

const begins = (bytes: Bytes, magic: number[]): boolean => magic.every((byte, at) => bytes[at] === byte);

/** The error of a damaged module. */
const damaged = (error: unknown): FetchError =>
  new FetchError(`The rules are damaged: ${error instanceof Error ? error.message : String(error)}.`);

/** Decompresses zstd, block by block. */
async function* unzstd(parts: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  let unpacked: Bytes[] = [];
  // The decoder reuses the memory of its blocks, so they are copied.
  const decompress = new Decompress((block) => block.length > 0 && unpacked.push(block.slice() as Bytes));
  const push = (part: Bytes, last: boolean): Bytes[] => {
    try {
      decompress.push(part, last);
    } catch (error) {
      throw damaged(error);
    }
    const blocks = unpacked;
    unpacked = [];
    return blocks;
  };
  for await (const part of parts) yield* push(part, false);
  yield* push(new Uint8Array(0), true);
}

/** A stream of bytes; `failed` is called with its error. */
function streamOf(parts: AsyncIterator<Bytes>, failed: (error: unknown) => void): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        failed(error);
        controller.error(error);
      }
    },
  });
}

/** Joins the first parts of a file until they contain its magic number. */
async function begun(parts: AsyncIterable<Bytes>): Promise<{ first: Bytes; all: AsyncGenerator<Bytes> }> {
  const rest = parts[Symbol.asyncIterator]();
  let first: Bytes = new Uint8Array(0);
  while (first.length < ZSTD.length) {
    const { done, value } = await rest.next();
    if (done) break;
    const longer = new Uint8Array(first.length + value.length);
    longer.set(first);
    longer.set(value, first.length);
    first = longer;
  }
  async function* all(): AsyncGenerator<Bytes> {
    yield first;
    for (let part = await rest.next(); !part.done; part = await rest.next()) yield part.value;
  }
  return { first, all: all() };
}

/** The decompressed file as a stream, with the original error on failure. */
class Unpacked {
  private failure: unknown = null;
  private constructor(private readonly stream: ReadableStream<Bytes>) {}

  static async of(parts: AsyncIterable<Bytes>): Promise<Unpacked> {
    const { first, all } = await begun(parts);
    const failed = (error: unknown): void => void (unpacked.failure ??= error);
    const stream = streamOf(begins(first, ZSTD) ? unzstd(all) : all, failed);
    const gunzip = () => new DecompressionStream('gzip');
    const unpacked = new Unpacked(begins(first, GZIP) ? stream.pipeThrough(gunzip()) : stream);
    return unpacked;
  }

  /** Awaits a result, and replaces a generic stream error with its cause. */
  async into<T>(make: (response: Response) => Promise<T>): Promise<T> {
    try {
      return await make(new Response(this.stream, { headers: { 'content-type': 'application/wasm' } }));
    } catch (error) {
      throw this.failure ?? damaged(error);
    }
  }
}

/** The complete decompressed bytes of a module. */
export async function wholeModule(parts: AsyncIterable<Bytes>): Promise<Bytes> {
  const unpacked = await Unpacked.of(parts);
  return unpacked.into(async (response) => new Uint8Array(await response.arrayBuffer()));
}

/** Instantiates the module from the parts of its file while they arrive. */
export async function moduleOf(parts: AsyncIterable<Bytes>): Promise<RulesModule> {
  if (!('instantiateStreaming' in WebAssembly)) return RulesModule.make(await wholeModule(parts));
  const unpacked = await Unpacked.of(parts);
  return unpacked.into((response) => RulesModule.make(Promise.resolve(response)));
}
