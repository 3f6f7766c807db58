// Requests and the cache of their answers.

import { expect, test, vi } from 'vitest';
import { api, useBackend } from '../src/api/api';
import { withQuery, type Backend, type Query } from '../src/api/backend';
import { KeptAnswers } from '../src/api/kept-answers';
import { summary } from './made';

/** Uses a backend with a cache, and these answers. */
function answers(answer: (path: string, query: Query) => unknown, served = true) {
  const kept = new KeptAnswers();
  const asked = vi.fn(answer);
  const get = (path: string, query: Query = {}) =>
    kept.get(withQuery(path, query), async () => asked(path, query));
  const backend = { standalone: false, served, get, post: get, link: () => null };
  useBackend(backend as unknown as Backend);
  return asked;
}

test('answers are requested once, unless a limit cut them short', async () => {
  const asked = answers(() => ({ positions: ['a'], incomplete: asked.mock.calls.length === 1 }));
  const find = () => api.find('made', { outcome: 'win' });
  expect(await find()).toMatchObject({ incomplete: true });
  expect(await find()).toMatchObject({ incomplete: false });
  await find();
  expect(asked).toHaveBeenCalledTimes(2);
});

test('all pages of steps are requested, and the cached ones stay as they are', async () => {
  const asked = answers((_, { offset }) =>
    offset === undefined
      ? { parts: [], steps_available: ['a', 'b'], page: { offset: 0, count: 3, next: 2 } }
      : { parts: [], steps_available: ['c'], page: { offset: 2, count: 3 } },
  );
  for (let time = 0; time < 3; time++)
    expect(await api.steps('made', {})).toMatchObject({ steps_available: ['a', 'b', 'c'], page: undefined });
  expect(asked).toHaveBeenCalledTimes(2);
});

test('a search that found nothing in time can be repeated', async () => {
  const asked = answers(() =>
    asked.mock.calls.length === 1 ? { puzzles: [], incomplete: true } : { puzzles: ['a'] },
  );
  await expect(api.puzzles('made', {})).rejects.toMatchObject({ status: 503 });
  expect(await api.puzzles('made', {})).toEqual({ puzzles: ['a'] });
});

test('a page without a server opens the games that it lists or solves', () => {
  const listed = [summary('touchdown:4x3', 2, true)];
  const names = ['touchdown:4x3', 'tactics:3x3', 'here:tactics:3x3', 'board:bmFtZQ'];
  const opens = () => names.map((game) => api.opens(game, listed));
  answers(() => null, false);
  expect(opens()).toEqual([true, false, true, true]);
  answers(() => null);
  expect(opens()).toEqual([true, true, true, true]);
});
