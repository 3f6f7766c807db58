// A session whose requests are answered by the test.

import { expect, test } from 'vitest';
import { useBackend } from '../src/api/api';
import type { Backend } from '../src/api/backend';
import { Session } from '../src/play/session.svelte';
import { summary, turn, view } from './made';

/** Opens a game whose list of turns has this page. */
async function opened(
  game: string,
  page?: { offset: number; count: number; next?: number },
): Promise<Session> {
  const get = async (path: string): Promise<unknown> => {
    if (path.endsWith('/view')) return view('a.', []);
    if (path.endsWith('/steps')) return { parts: [], steps_available: [] };
    if (path.endsWith('/positions'))
      return { outcome: 'win', turns: 1, turns_available: [turn('a1b1', 'win 1')], page };
    return summary(game, 2, true);
  };
  const post = async (): Promise<unknown> => ({ turns: [] });
  const backend = { standalone: false, served: true, get, post, link: () => null };
  useBackend(backend as unknown as Backend);
  const session = new Session(game);
  await session.open(null, 'first', [], null);
  expect(session.error).toBe('');
  return session;
}

test('a list of turns that is longer than one answer is cut short', async () => {
  expect((await opened('made')).turnsCut).toBe(false);
  expect((await opened('made', { offset: 0, count: 2, next: 1 })).turnsCut).toBe(true);
});
