import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Guide } from '../src/play/guide.svelte';
import { Session } from '../src/play/session.svelte';
import { MadeGame } from './made-game';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function opened(): Promise<{ session: Session; guide: Guide }> {
  const session = new Session('made');
  await session.open(null, 'first', [], null);
  // No board ends the animation of a turn.
  setInterval(() => (session.moving = false), 10);
  return { session, guide: new Guide(session, () => {}) };
}

const pass = (time: number) => vi.advanceTimersByTimeAsync(time);

test('a best line that was stopped does not go on in the next one', async () => {
  MadeGame.use().ends = ['.aaaa'];
  const { session, guide } = await opened();
  void guide.showBest();
  await pass(1000);
  expect(session.record.at).toBe(2);
  guide.stop();
  await session.show(0);
  void guide.showBest();
  const seen: number[] = [];
  for (let time = 0; time < 5000; time += 10) {
    await pass(10);
    if (seen.at(-1) !== session.record.at) seen.push(session.record.at);
  }
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(guide.running).toBe(false);
});

test('a best line is shown even if the comment on the last turn arrives after its request', async () => {
  const game = MadeGame.use();
  game.ends = ['.aaaa'];
  const { session, guide } = await opened();
  const times: Record<string, number> = { annotate: 100, line: 200 };
  game.before = (what) => new Promise((resolve) => setTimeout(resolve, times[what] ?? 0));
  void session.play(session.turns![0]!);
  await pass(50);
  void guide.showBest();
  await pass(300);
  expect(session.record.turns.map(({ turn }) => turn).join('')).toBe('aaaa');
  expect(session.record.played.map(({ turn, before }) => [turn, before.outcome])).toEqual([['a', 'draw']]);
  expect(session.record.at).toBe(2);
});

test('a hint belongs to its position', async () => {
  const game = MadeGame.use();
  const { session, guide } = await opened();
  await guide.showHint();
  expect([guide.hintText, guide.hint]).toEqual(['Hint: a.', [{ kind: 'a' }]]);
  // A turn that the opponent plays ends it.
  await session.play(session.turns![0]!);
  expect([guide.hintText, guide.hint]).toEqual(['', []]);
  // So does a turn that is played before it arrives.
  game.before = (what) => new Promise((resolve) => setTimeout(resolve, what === 'view' ? 200 : 0));
  void guide.showHint();
  void session.play(session.turns![1]!);
  await pass(500);
  expect(session.record.at).toBe(2);
  expect([guide.hintText, guide.hint]).toEqual(['', []]);
  // And a touch, which stops the guide.
  void guide.showHint();
  guide.stop();
  await pass(500);
  expect([guide.hintText, guide.hint]).toEqual(['', []]);
});
