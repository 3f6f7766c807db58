// A session whose requests are answered by the test.

import { expect, test } from 'vitest';
import { useBackend } from '../src/api/api';
import type { Backend } from '../src/api/backend';
import { boardGame } from '../src/api/guest-name';
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

test('records of a game are read wherever it was solved', async () => {
  const board = boardGame('name = ring');
  for (const [game, named] of [
    ['touchdown:4x3', 'here:touchdown:4x3'],
    ['here:touchdown:4x3', 'touchdown:4x3'],
    ['here:touchdown:4x3', 'here:touchdown:4x3'],
    [board, 'pushfight:ring.board'],
  ] as const)
    await (await opened(game)).read(`# ${named}\n`);
  for (const [game, named] of [
    ['touchdown:4x3', 'here:touchdown:3x4'],
    ['here:touchdown:4x3', 'touchdown:3x4'],
    ['touchdown:4x3', board],
  ] as const)
    await expect((await opened(game)).read(`# ${named}\n`)).rejects.toThrow('This is a game of');
});
