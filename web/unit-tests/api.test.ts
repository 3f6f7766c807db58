// Requests and the cache of their answers.

import { expect, test, vi } from 'vitest';
import { api, useBackend } from '../src/api/api';
import { withQuery, type Backend, type Query } from '../src/api/backend';
import { KeptAnswers } from '../src/api/kept-answers';

/** Uses a backend with a cache, and these answers. */
function answers(answer: (path: string, query: Query) => unknown) {
  const kept = new KeptAnswers();
  const asked = vi.fn(answer);
  const get = (path: string, query: Query = {}) =>
    kept.get(withQuery(path, query), async () => asked(path, query));
  const backend = { standalone: false, served: true, get, post: get, link: () => null };
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

test('a search that found nothing in time can be repeated', async () => {
  const asked = answers(() =>
    asked.mock.calls.length === 1 ? { puzzles: [], incomplete: true } : { puzzles: ['a'] },
  );
  await expect(api.puzzles('made', {})).rejects.toMatchObject({ status: 503 });
  expect(await api.puzzles('made', {})).toEqual({ puzzles: ['a'] });
});
