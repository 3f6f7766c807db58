import { expect, test } from 'vitest';
import { openingRanges } from '../src/site/opening-file';

/** A file of an opening, as `opening_file` of crates/retrograde-offline writes it. */
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

test('the ranges of a file are those that were put into it', () => {
  const found = openingRanges(fileOf(RANGES));
  expect(found?.map(({ path, from, data }) => ({ path, from, data: [...data] }))).toEqual(RANGES);
});

test('a file that is cut off, or too long, has no ranges', () => {
  const file = fileOf(RANGES);
  for (let length = 0; length < file.length; length++)
    expect(openingRanges(file.slice(0, length))).toBeNull();
  expect(openingRanges(new Uint8Array([...file, 0]))).toBeNull();
});
