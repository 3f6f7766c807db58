// Small precomputed files of a site, and what hosts do to them.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SiteExtra, SiteIndex } from '../src/site/index-file';
import { Site } from '../src/site/site';
import { summary } from './made';

const PUZZLES = JSON.stringify({ game: 'made', kinds: [{ kind: 'win', depths: [3], puzzles: [] }] });

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The depths of the puzzles of a large game, whose file has this length, and these answers of the host. */
async function depths(bytes: number, ...answers: ((abort: AbortSignal) => Response | Promise<Response>)[]) {
  const asked = vi.fn((_: URL, { signal }: { signal: AbortSignal }) => {
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    return Promise.resolve(answer(signal));
  });
  vi.stubGlobal('fetch', asked);
  const puzzles: SiteExtra = { path: 'puzzles/made.json', bytes };
  const files = [{ name: 'values', bytes: 1e9 }];
  const game = { game: 'made', folder: 'made', files, puzzles, summary: summary('made', 1, true) };
  const index: SiteIndex = { module: 'm.wasm', games: [game] };
  const answer = new Site('http://host/', '', index).get('games/made/puzzles/depths', { kind: 'win' });
  const settled = answer.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { answer: await settled, asked: asked.mock.calls.length };
}

const whole = () => new Response(PUZZLES);
const encoded = (body: BodyInit) => () => new Response(body, { headers: { 'content-encoding': 'gzip' } });

test('a file is read whole, however the host compresses it', async () => {
  const gzip = new Blob([PUZZLES]).stream().pipeThrough(new CompressionStream('gzip'));
  const packed = new Uint8Array(await new Response(gzip).arrayBuffer());
  expect(await depths(PUZZLES.length, whole)).toMatchObject({ answer: { depths: [3] }, asked: 1 });
  for (const host of [() => new Response(packed), encoded(PUZZLES)])
    expect(await depths(packed.length, host)).toMatchObject({ answer: { depths: [3] }, asked: 1 });
});

test('a file is requested again after failures, silence and truncated answers', async () => {
  const silent = (abort: AbortSignal) =>
    new Promise<Response>((_, reject) => abort.addEventListener('abort', () => reject(abort.reason)));
  const busy = () => new Response('', { status: 503 });
  const truncated = () => new Response(PUZZLES.slice(0, -1));
  expect(await depths(PUZZLES.length, busy, silent, whole)).toMatchObject({
    answer: { depths: [3] },
    asked: 3,
  });
  expect(await depths(PUZZLES.length, truncated, whole)).toMatchObject({ answer: { depths: [3] }, asked: 2 });
  expect(await depths(PUZZLES.length, silent)).toMatchObject({
    answer: { message: 'The host sent nothing for 20 seconds.', status: 0 },
    asked: 3,
  });
  const missing = () => new Response('', { status: 404 });
  expect(await depths(1, missing)).toMatchObject({ answer: { status: 0 }, asked: 1 });
});

test('a damaged file is named', async () => {
  expect(await depths(9, encoded(PUZZLES.slice(0, 9)))).toMatchObject({
    answer: { message: '“puzzles/made.json” is damaged.', status: 0 },
    asked: 1,
  });
});
