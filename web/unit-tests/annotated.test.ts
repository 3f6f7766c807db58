import { expect, test, vi } from 'vitest';
import { ApiError } from '../src/api/backend';
import type { PlayedGame } from '../src/api/types';
import { annotated } from '../src/play/turns';
import { MadeGame, START } from './made-game';

/** A game that annotates at most so many turns at once, or answers with a status. */
function limited(most: number, status: number): void {
  const game = MadeGame.use();
  const post = game.post.bind(game);
  vi.spyOn(game, 'post').mockImplementation((path, body) => {
    const { length } = (body as PlayedGame).turns;
    return length > most ? Promise.reject(new ApiError('too much', status)) : post(path, body);
  });
}

const place = { position: START, toMove: 'first' } as const;
const turns = [...'abaabab'];

test('turns that are too many for one request, or take too long, are requested in parts', async () => {
  for (const status of [413, 503]) {
    limited(2, status);
    const made = await annotated('made', place, turns, 'either');
    expect(made.map(({ turn }) => turn)).toEqual(turns);
    expect(made.at(-1)?.position).toBe('.abaabab');
  }
});

test('other errors, and those of a single turn, are not repeated', async () => {
  limited(2, 422);
  await expect(annotated('made', place, turns)).rejects.toThrow('too much');
  limited(0, 413);
  await expect(annotated('made', place, turns)).rejects.toThrow('too much');
});
