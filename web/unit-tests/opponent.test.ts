import { expect, test } from 'vitest';
import { useBackend } from '../src/api/api';
import { ApiError, type Backend } from '../src/api/backend';
import type { Probe, TurnValue } from '../src/api/types';
import { bestTurns, chooseTurn, goodReplies, sharpest } from '../src/play/opponent';
import { OPPONENTS, opponentNamed, strengthText } from '../src/play/opponents';
import { turn } from './made';

const names = (turns: { turn: string }[]) => turns.map(({ turn }) => turn);

test('perfect play prefers quick wins, then draws, then slow losses', () => {
  const turns = [turn('a', 'win 5'), turn('b', 'win 3'), turn('c', 'win 3'), turn('d', 'draw')];
  expect(names(bestTurns(turns, null))).toEqual(['b', 'c']);
  expect(names(bestTurns([turn('a', 'loss 2'), turn('b', 'unknown'), turn('c', 'draw')], null))).toEqual([
    'b',
    'c',
  ]);
  expect(names(bestTurns([turn('a', 'loss 2'), turn('b', 'loss 8')], null))).toEqual(['b']);
  expect(bestTurns([], null)).toEqual([]);
});

test('beyond the horizon everything is a draw', () => {
  const turns = [turn('a', 'win 5'), turn('b', 'loss 6'), turn('c', 'draw'), turn('d', 'loss 2')];
  expect(names(bestTurns(turns, 4))).toEqual(['a', 'b', 'c']);
  expect(names(bestTurns(turns, 5))).toEqual(['a']);
  expect(names(bestTurns(turns, 0))).toEqual(['a', 'b', 'c', 'd']);
});

test('good replies are those as good as the best', () => {
  const turns_available = [turn('a', 'win 3'), turn('b', 'win 3'), turn('c', 'win 5')];
  expect(goodReplies({ turns_available } as Probe)).toBe(2);
});

test('of drawn turns, those with the sharpest press are chosen', () => {
  const shaded = (name: string, side: 'presses' | 'quiet', turns_to_task: number | null) => ({
    ...turn(name, 'draw'),
    shade: { side, level: turns_to_task === null ? null : 1, turns_to_task },
  });
  const turns = [shaded('a', 'presses', 1), shaded('b', 'presses', 1), shaded('c', 'presses', 3)];
  expect(names(sharpest([...turns, shaded('d', 'quiet', null)]))).toEqual(['a', 'b']);
  expect(names(sharpest([shaded('d', 'quiet', null), shaded('e', 'quiet', null)]))).toEqual(['d', 'e']);
  const unknown = [turn('a', 'draw'), turn('b', 'draw')];
  expect(sharpest(unknown)).toEqual(unknown);
});

const TURNS = ['win 3', 'win 5', 'draw', 'loss 2'].map((value, at) => turn('abcd'[at]!, value));
const MILA = { ...OPPONENTS[1]!, horizon: null, errs: 0.25 };

/** Returns the numbers one after the other. */
const chances = (...numbers: number[]) => {
  return () => numbers.shift() ?? 0;
};

test('an opponent plays a random turn with the stated probability', async () => {
  const probe = { turns_available: TURNS } as Probe;
  expect((await chooseTurn('g', probe, MILA, chances(0.24, 0.99)))?.turn).toBe('d');
  expect((await chooseTurn('g', probe, MILA, chances(0.25, 0.99)))?.turn).toBe('a');
  expect(await chooseTurn('g', { turns_available: [] as TurnValue[] } as Probe, MILA)).toBeNull();
});

/** What Iris can play in a position, if the backend answers like this. */
async function choicesOfIris(
  turns: TurnValue[],
  answers: Partial<Backend>,
): Promise<Set<string | undefined>> {
  useBackend(answers as Backend);
  const probe = { position: 'here', to_move: 'first', turns_available: turns } as Probe;
  const choices = new Set<string | undefined>();
  for (const chance of [0, 0.5, 0.99])
    choices.add((await chooseTurn('g', probe, opponentNamed('iris')!, chances(0.5, chance)))?.turn);
  return choices;
}

test('of equal turns, those that leave the fewest good replies are chosen', async () => {
  const turns = ['a', 'b', 'c'].map((name) => turn(name, 'win 5'));
  const replies = (...values: string[]) => ({
    answer: { turns_available: values.map((value) => turn('r', value)) },
  });
  const [two, one] = [replies('loss 4', 'loss 4'), replies('loss 4', 'loss 2')];
  // A batch may have no answer for its last positions.
  const some = async () => ({ answers: [two, one, { problem: {} }] });
  expect([...(await choicesOfIris(turns, { post: some as Backend['post'] }))]).toEqual(['b']);
  const none = async () => ({ answers: turns.map(() => ({ problem: {} })) });
  expect([...(await choicesOfIris(turns, { post: none as Backend['post'] }))]).toEqual(['a', 'b', 'c']);
});

test('an opponent does not prefer to end the game in a draw', async () => {
  const turns = ['ends', 'trap', 'free'].map((name) => turn(name, 'draw'));
  const count = (name: string, holding: number, all: number) => ({ turn: name, holding, replies: { all } });
  const holding_turns = [count('ends', 0, 0), count('trap', 1, 9), count('free', 9, 9)];
  const get = (async () => ({ holding_turns })) as Backend['get'];
  expect([...(await choicesOfIris(turns, { get }))]).toEqual(['trap']);
  expect(goodReplies({ turns_available: [] as TurnValue[] } as Probe)).toBe(Infinity);
});

test('an opponent also moves if replies cannot be counted', async () => {
  const turns = ['a', 'b', 'c'].map((name) => turn(name, 'draw'));
  const get = () => Promise.reject(new ApiError('counting replies needs alternating players', 422));
  expect([...(await choicesOfIris(turns, { get }))]).toEqual(['a', 'b', 'c']);
});

test('opponents are in order of strength', () => {
  const sees = OPPONENTS.map(({ horizon }) => horizon ?? Infinity);
  expect(sees).toEqual([...sees].sort((a, b) => a - b));
  expect(OPPONENTS.map(({ errs }) => errs)).toEqual(OPPONENTS.map(({ errs }) => errs).sort((a, b) => b - a));
  expect(new Set(OPPONENTS.map(({ id }) => id)).size).toBe(OPPONENTS.length);
  expect(strengthText(OPPONENTS[0]!)).toBe('Every turn is random.');
  expect(strengthText(OPPONENTS[1]!)).toBe('Looks 1 turn ahead; 25% of turns are random.');
  expect(strengthText(OPPONENTS.at(-1)!)).toBe('Sees to the end of the game and makes no mistakes.');
});

test('an opponent is found by the name in the address', () => {
  expect(opponentNamed('iris')?.horizon).toBeNull();
  expect(opponentNamed('nobody')).toBeNull();
  expect(opponentNamed(null)).toBeNull();
});
