import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../src/api/backend';
import { Attempt } from '../src/practice/attempt.svelte';
import { MadeGame, START, stepOf } from './made-game';
import { verdict } from './made';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A puzzle to win in 3: "a", then any reply, then "a" wins at once and "b" in 3. */
async function winInThree(): Promise<{ game: MadeGame; attempt: Attempt; results: string[] }> {
  const game = MadeGame.use();
  game.ends = ['.aaa'];
  game.values = { '.a': 'win 3', '.aa': 'loss 2', '.ab': 'loss 2', '.aaa': 'win 1', '.aab': 'win 3' };
  const results: string[] = [];
  const puzzle = {
    game: 'made',
    kind: 'win',
    position: START,
    toMove: 'first',
    verdict: verdict('win 3'),
    solution: 'a',
    choices: 2,
  } as const;
  const attempt = await Attempt.open(puzzle, {
    first: (solved) => results.push(solved ? 'solved' : 'missed'),
    found: () => results.push('found'),
  });
  // No board ends the animation of a turn.
  setInterval(() => (attempt.session.moving = false), 10);
  return { game, attempt, results };
}

/** Plays a turn, and waits for the reply. */
async function play(attempt: Attempt, turn: string): Promise<void> {
  const value = attempt.session.probe!.turns_available.find((other) => other.turn === turn)!;
  void attempt.choose(stepOf(value));
  await vi.advanceTimersByTimeAsync(2000);
}

test('a puzzle to win goes on until the game is won', async () => {
  const { attempt, results } = await winInThree();
  await play(attempt, 'a');
  expect([attempt.answer, attempt.at, attempt.reply?.turn]).toEqual(['open', 2, 'a']);
  await play(attempt, 'a');
  expect([attempt.answer, ...results]).toEqual(['right', 'solved', 'found']);
});

test('a slower win is wrong', async () => {
  const { attempt, results } = await winInThree();
  await play(attempt, 'a');
  await play(attempt, 'b');
  expect([attempt.answer, ...results]).toEqual(['wrong', 'missed']);
});

test('without its comment, a turn is neither right nor wrong', async () => {
  const { game, attempt, results } = await winInThree();
  await play(attempt, 'a');
  game.before = (what) => {
    if (what === 'annotate') throw new ApiError('The server does not answer.', 0);
  };
  for (const turn of ['b', 'a']) {
    await play(attempt, turn);
    expect([attempt.answer, attempt.session.record.at, ...results]).toEqual(['open', 2]);
    expect(attempt.session.error).toContain('Play it again.');
  }
  game.before = () => {};
  await play(attempt, 'a');
  expect([attempt.answer, ...results]).toEqual(['right', 'solved', 'found']);
});
