// Decompression of the module's file while it downloads. The bytes here are not a module.

import { expect, test } from 'vitest';
import { moduleOf, wholeModule } from '../src/site/module-file';

type Bytes = Uint8Array<ArrayBuffer>;

/** `SAMPLE` compressed with `zstd --ultra -22 --no-check`: three blocks. */
const PACKED = [
  'KLUv/aDgkwQAXBYAphMqEMAXG2TL/ecCLSVt2tSBiksnACQAIwAPPHPyGb90QBvNJ0dma9CyOYF9Q1Zq2ZE/9+QlrdQdEAjgIsBQ',
  'HEYX0iViMG6Dstr1xm6K1R74n6HW9UyjvUJbyzyZzSrVIsmP3QOdywOzH/KR+xbFZBsYOy2zJLAGxE/pvkesdV/+OtGsPJ06fVa+',
  'aGh0adr63aNpBeXJFvh/YNahoCJHxpL3uUUfdW5bhXYDgPio4AyvnwFARiCGyEiSdBJgMMAISNClmSFMYASMRCaUSCh+JRAp2RjK',
  'NVBOBxZsgWywAEVNh9kvA5nUJPUyoJtQgXsAfA5kCk7VA3AK8Jv9J+lIcZyBOUMeGzBPA+be4IJ4zy+JYE8tj1ODBcXDwtiRjaoD',
  'jOSwYAskgAWovWmphwUtGnC6hd3I80VyBuqxB1iwBR6w4PaNsUD75AWavRHKd5Td2EWH9vjaFpGsxwA1TX8DuvFF6Hc0SyP0/3ky',
  'uWOhYiUFzNZRmefbQ3+ybkAw1rXWWcilt5AwIZ6/L3A/tGiLt+TnQSHPg+px8K8pzLWlG2dVqzetcJqFjChOtBvsaQksXCshN4Kg',
  'D6K4DgbfoNoRNaqPiqQC7kv/vyYpTFEOwW8OvX0vwcWjHotODd60EjIEzdqP6ZAHylBtAckAYfPuz8oPCEQldy1oKMstsDOm7j6z',
  'Q7TjlkDUS1hfPu0bmBS4hPm8ivNQE4nOHtATPp7YrH3MNtLXa/jFdOdKpk6LPikNtPp3WnkI2AJJpmZAIvAaLJW3tWyD+N2WfWr3',
  'T8lsNx11iJNf3JhlzhFFJ+ag2oTfRGhS+LedVdzq7ScO674AycFkIrQqh0g1eCFfuFXeaPCwztqCwzR/Bv38FVZmnZM4QXxPShQV',
  'rjeKeOamQ9lOuQHBukTrmsDG0IEs+lsoA99Q1vM/WegVjHMMeHlbz06FwvmWG8BioIUppJQCAEAzMTIxMDQ0OBLATO6AmLjbU+cL',
  '48GC24cFml179tROefBhwRZODxYQqaN/fvlQVo0yigcGNiJbMvGacxitvqfOF8aDBbcHCzS79lUFPwH2QQhdAAAAAgAsKdjBVfEA',
  'CA==',
].join('');

/** 300,000 generated characters. */
function sample(): string {
  let [state, text] = [7, ''];
  const next = () => (state = (state * 1103515245 + 12345) % 2 ** 31);
  while (text.length < 300_000) {
    text += `turn ${next() % 1000} of ${next() % 7};`;
    if (next() % 3 === 0) text += text.slice(-(next() % 40));
  }
  return text.slice(0, 300_000);
}
const SAMPLE = sample();
const packed: Bytes = Uint8Array.from(atob(PACKED), (letter) => letter.charCodeAt(0));
const plain: Bytes = new TextEncoder().encode(SAMPLE);

/** Bytes in parts of a given size, with an optional failure at the end. */
async function* parts(bytes: Bytes, length: number, failure?: Error): AsyncGenerator<Bytes> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.slice(at, at + length);
  if (failure) throw failure;
}

const text = async (given: AsyncIterable<Bytes>): Promise<string> =>
  new TextDecoder().decode(await wholeModule(given));

test('decompression works with any split into parts', async () => {
  const stream = new Response(plain).body!.pipeThrough(new CompressionStream('gzip'));
  const gzipped = new Uint8Array(await new Response(stream).arrayBuffer());
  for (const length of [1, 3, 7, 100, 500, 826, 1e6]) {
    expect((await text(parts(packed, length))) === SAMPLE, `zstd, ${length}`).toBe(true);
    if (length > 3) expect((await text(parts(gzipped, length))) === SAMPLE, `gzip, ${length}`).toBe(true);
    if (length > 99) expect((await text(parts(plain, length))) === SAMPLE, `plain, ${length}`).toBe(true);
  }
});

test('damaged and truncated files are reported', async () => {
  const flipped = packed.slice();
  flipped[400]! ^= 0x55;
  const damaged = await text(parts(flipped, 100)).catch((error: Error) => error.message);
  expect(damaged).not.toBe(SAMPLE);
  await expect(text(parts(packed.slice(0, 600), 100))).rejects.toThrow('The rules are damaged');
  await expect(moduleOf(parts(packed, 100))).rejects.toThrow('The rules are damaged');
});

test('a failed download is reported with its cause', async () => {
  const away = new Error('The host is away.');
  await expect(text(parts(packed.slice(0, 300), 100, away))).rejects.toThrow('The host is away.');
  await expect(moduleOf(parts(packed.slice(0, 300), 100, away))).rejects.toThrow('The host is away.');
});
