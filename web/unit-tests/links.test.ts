// Workers whose scripts or modules cannot be loaded.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GuestGame } from '../src/guest/guest-game.svelte';
import { WorkerLink } from '../src/guest/worker-link';
import type { SiteIndex } from '../src/site/index-file';
import { Site } from '../src/site/site';
import { summary } from './made';

/** Whether the scripts of workers can be loaded. */
let online = true;
let started: FakeWorker[] = [];
/** The answers to the next tasks; later ones are empty objects. */
let replies: unknown[] = [];

/** A worker that answers each task. */
class FakeWorker {
  onmessage: (event: { data: unknown }) => void = () => {};
  onerror: (event: { message?: string; preventDefault: () => void }) => void = () => {};
  private readonly loaded = online;
  private ended = false;

  constructor() {
    started.push(this);
    if (!this.loaded) setTimeout(() => this.onerror({ preventDefault: () => {} }));
  }

  postMessage({ id }: { id?: number }): void {
    if (id === undefined || !this.loaded) return;
    setTimeout(() => {
      if (!this.ended) this.onmessage({ data: { id, answer: replies.shift() ?? { status: 200, body: {} } } });
    });
  }

  terminate(): void {
    this.ended = true;
  }
}

beforeEach(() => {
  [online, started, replies] = [true, [], []];
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => vi.unstubAllGlobals());

test('a game of a site starts another worker after one that could not be loaded', async () => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('fetch', async () => new Response(new Uint8Array(5)));
  const game = { game: 'made', folder: 'tables/made', files: [], puzzles: null };
  const index: SiteIndex = { module: 'm.wasm', games: [{ ...game, summary: summary('made', 1, true) }] };
  const site = new Site('http://host/', '', index);
  online = false;
  await expect(site.get('games/made/line')).rejects.toMatchObject({
    status: 0,
    message: 'The script of the game could not be loaded.',
  });
  expect(started).toHaveLength(1);
  online = true;
  expect(await site.get('games/made/line')).toEqual({});
  expect(await site.post('games/made/positions', {})).toEqual({});
  expect(started).toHaveLength(2);
});

test('a solver starts another worker after one that could not be loaded', async () => {
  const workshop = { start: () => new Worker(''), module: () => ({ url: 'm.wasm' }) };
  const link = new WorkerLink(workshop, () => {});
  online = false;
  await expect(link.name('made', '')).rejects.toThrow('The script of the solver could not be loaded.');
  online = true;
  expect(await link.name('made', '')).toMatchObject({ status: 200 });
  expect(started).toHaveLength(2);
  const asked = link.solve();
  link.end();
  await expect(asked).rejects.toThrow('The solver was stopped.');
});

test('a game whose solver cannot be loaded is not refused, and can be retried', async () => {
  const lost = vi.fn(async () => ({ url: 'm.wasm' })).mockRejectedValueOnce(new Error('The host is away.'));
  const game = new GuestGame({ name: 'made', board: null }, { start: () => new Worker(''), module: lost });
  await expect(game.ask({}, '/line')).rejects.toMatchObject({ message: 'The host is away.', status: 0 });
  expect([game.phase, game.error]).toEqual(['failed', 'The host is away.']);
  const { about } = summary('made', 1, true);
  replies = [{ game: { about, solvable: true, memory: 1, seconds: 100, refused: null } }];
  await game.retry();
  expect([game.phase, game.error, game.refused]).toEqual(['unsolved', '', null]);
  // The same after a solve was stopped. The game does not start again by itself.
  void game.solve();
  lost.mockRejectedValueOnce(new Error('The host is away.'));
  game.stop();
  await expect(game.ask({}, '/line')).rejects.toMatchObject({ status: 0 });
  expect(game.phase).toBe('failed');
  replies = [{ game: { about, solvable: true, memory: 1, seconds: 1, refused: null } }];
  await game.retry();
  expect(game.phase).toBe('unsolved');
  expect(await game.ask({}, '/line')).toEqual({});
});
