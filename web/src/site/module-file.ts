// The file of a site's module. The page fetches it, since it knows first that it will be needed; a worker unpacks it.
// It is packed when the site is written: many hosts pack no WebAssembly, and a third as much has to come then.

import { decompress } from 'fzstd';
import { FetchError } from './errors';
import { unpacked } from './packed';

/** The first bytes of what zstd has packed. */
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** The module of the bytes of its file. */
export async function moduleOf(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (ZSTD.some((byte, at) => file[at] !== byte)) return unpacked(file);
  try {
    return decompress(file) as Uint8Array<ArrayBuffer>;
  } catch (error) {
    throw new FetchError(
      `The rules came damaged: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
