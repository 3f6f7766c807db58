import { expect, test } from 'vitest';
import { Match } from '../src/play/match.svelte';
import { opponentNamed } from '../src/play/opponents';
import { Session } from '../src/play/session.svelte';
import { MadeGame } from './made-game';

/** A game against Iris in which both sides played these turns. */
async function matchOf(turns: string[]): Promise<{ session: Session; match: Match }> {
  const session = new Session('made');
  const match = new Match(session, opponentNamed('iris'));
  const written = turns.map((turn) => ({ turn, demo: false, others: [] }));
  await session.open(null, 'first', written, null);
  return { session, match };
}

test('a game that continues from a deleted end has not ended', async () => {
  MadeGame.use();
  const { session, match } = await matchOf(['a', 'a']);
  match.end('resigned');
  expect(match.ended).toBe('resigned');
  const ended = session.record;
  await session.change(ended.without(ended.hereId));
  expect(match.ended).toBeNull();
  await session.play(session.probe!.turns_available[1]!);
  expect(session.record.turns.map(({ turn }) => turn)).toEqual(['a', 'b']);
  expect(match.ended).toBeNull();
  // Undoing the deletion brings the end back.
  await session.change(ended);
  expect(match.ended).toBe('resigned');
});

test('a loaded game does not end like the one that it replaces', async () => {
  MadeGame.use();
  const { session, match } = await matchOf(['a']);
  match.end('resigned');
  await session.read('b\n');
  expect(session.record.turns.map(({ turn }) => turn)).toEqual(['b']);
  expect(match.ended).toBeNull();
});

test('taking back leads to your own last turn, also if a side moves several times in a row', async () => {
  const game = MadeGame.use();
  // Red moves twice, then Blue twice.
  game.mover = (position) => (position.length % 4 === 1 || position.length % 4 === 2 ? 'first' : 'second');
  const { session, match } = await matchOf(['a', 'a', 'a', 'a']);
  expect(session.record.turns.map(({ player }) => player)).toEqual(['first', 'first', 'second', 'second']);
  const earlier: (number | null)[] = [];
  for (const at of [0, 1, 2, 3, 4]) {
    await session.show(at);
    expect(session.toMove).toBe(game.mover(session.here.position));
    earlier.push(match.earlier);
  }
  expect(earlier).toEqual([null, 0, 1, 1, 1]);
  const alone = new Match(session);
  expect(alone.earlier).toBe(3);
});
