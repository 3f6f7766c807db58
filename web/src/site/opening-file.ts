// Parses the opening file of a game, which contains the ranges that opening the game reads
// (crates/retrograde-table/src/site).

import type { Bytes } from './download';

/** The ranges of a file; null if it is damaged. The module checks their bytes. */
export function openingRanges(file: Uint8Array<ArrayBuffer>): Bytes[] | null {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  let at = 0;
  const take = (length: number): number => {
    if (at + length > file.length) throw new RangeError('the file is truncated');
    at += length;
    return at - length;
  };
  try {
    const count = view.getUint32(take(4), true);
    const heads: { path: string; from: number; length: number }[] = [];
    for (let number = 0; number < count; number++) {
      const length = view.getUint16(take(2), true);
      const start = take(length);
      const path = new TextDecoder().decode(file.subarray(start, start + length));
      const from = Number(view.getBigUint64(take(8), true));
      heads.push({ path, from, length: view.getUint32(take(4), true) });
    }
    const ranges = heads.map(({ path, from, length }) => {
      const start = take(length);
      return { path, from, data: file.slice(start, start + length) };
    });
    return at === file.length ? ranges : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
