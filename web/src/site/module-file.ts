// The file of a site's module, unpacked and made while it comes. The page fetches it, since it knows first that it will
// be needed; a worker unpacks it. It is packed when the site is written: many hosts pack no WebAssembly, and a third as
// much has to come then.

import { Decompress } from 'fzstd';
import { RulesModule } from '../api/rules-module';
import { FetchError } from './errors';

type Bytes = Uint8Array<ArrayBuffer>;

/** The first bytes of what zstd has packed, and gzip. */
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const GZIP = [0x1f, 0x8b];

const begins = (bytes: Bytes, magic: number[]): boolean => magic.every((byte, at) => bytes[at] === byte);

/** Why a module is none. */
const damaged = (error: unknown): FetchError =>
  new FetchError(`The rules came damaged: ${error instanceof Error ? error.message : String(error)}.`);

/** Unpacks what zstd has packed, block by block. */
async function* unzstd(parts: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  let unpacked: Bytes[] = [];
  // Its blocks stay in its own memory, where the next ones are written.
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

/** A stream of bytes; `failed` is told why it breaks. */
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

/** The parts of a file again, with as many bytes in the first of them as tell how it is packed. */
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

/** What a file unpacks to, as a stream; its error is the one that broke it. */
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

  /** What becomes of the bytes. What broke the stream tells more than that it broke. */
  async into<T>(make: (response: Response) => Promise<T>): Promise<T> {
    try {
      return await make(new Response(this.stream, { headers: { 'content-type': 'application/wasm' } }));
    } catch (error) {
      throw this.failure ?? damaged(error);
    }
  }
}

/** The bytes of a module, for those who need it whole. */
export async function wholeModule(parts: AsyncIterable<Bytes>): Promise<Bytes> {
  const unpacked = await Unpacked.of(parts);
  return unpacked.into(async (response) => new Uint8Array(await response.arrayBuffer()));
}

/** Makes the module of the parts of its file, while they come. */
export async function moduleOf(parts: AsyncIterable<Bytes>): Promise<RulesModule> {
  if (!('instantiateStreaming' in WebAssembly)) return RulesModule.make(await wholeModule(parts));
  const unpacked = await Unpacked.of(parts);
  return unpacked.into((response) => RulesModule.make(Promise.resolve(response)));
}
