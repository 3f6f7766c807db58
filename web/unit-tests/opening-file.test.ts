import { expect, test } from 'vitest';
import { openingRanges } from '../src/site/opening-file';

/** An opening file, in the format of `opening_file` in crates/retrograde-offline. */
function fileOf(ranges: { path: string; from: number; data: number[] }[]): Uint8Array<ArrayBuffer> {
  const numbers = (value: number, length: number) =>
    Array.from({ length }, (_, at) => Math.floor(value / 256 ** at) % 256);
  const heads = ranges.map(({ path, from, data }) => [
    ...numbers(path.length, 2),
    ...new TextEncoder().encode(path),
    ...numbers(from, 8),
    ...numbers(data.length, 4),
  ]);
  return new Uint8Array([
    ...numbers(ranges.length, 4),
    ...heads.flat(),
    ...ranges.flatMap(({ data }) => data),
  ]);
}

const RANGES = [
  { path: 'tables/game/losses.rgp', from: 5_000_000_000, data: [1, 2, 3] },
  { path: 'tables/game/wins.rgp.000', from: 0, data: [4] },
];

test('the ranges of a file can be read back', () => {
  const found = openingRanges(fileOf(RANGES));
  expect(found?.map(({ path, from, data }) => ({ path, from, data: [...data] }))).toEqual(RANGES);
});

test('a truncated or overlong file has no ranges', () => {
  const file = fileOf(RANGES);
  for (let length = 0; length < file.length; length++)
    expect(openingRanges(file.slice(0, length))).toBeNull();
  expect(openingRanges(new Uint8Array([...file, 0]))).toBeNull();
});
