// Small precomputed files of a site, which are downloaded whole.

import { attempts, cut, inTime, refusal } from './attempts';
import type { SiteExtra } from './index-file';
import { unpacked } from './packed';

/** Downloads and decompresses a file. */
export async function smallFile(base: string, { path, bytes }: SiteExtra): Promise<Uint8Array<ArrayBuffer>> {
  const data = await attempts(path, async (signal) => {
    const response = await inTime(fetch(new URL(path, base), { signal }));
    if (!response.ok) throw refusal(response.status, path);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = response.body?.getReader();
    while (reader) {
      const { done, value } = await inTime(reader.read());
      if (done) break;
      chunks.push(value);
    }
    const data = new Uint8Array(await new Blob(chunks).arrayBuffer());
    // Some hosts compress files, or decompress our compressed ones.
    if (!response.headers.has('content-encoding') && data.length !== bytes) throw cut(path);
    return data;
  });
  return unpacked(data);
}
