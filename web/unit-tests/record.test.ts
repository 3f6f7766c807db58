import { expect, test } from 'vitest';
import { GameRecord } from '../src/play/record';
import { gameText, turnsIn } from '../src/words/records';
import { played } from './made';

const START = { position: 'start', toMove: 'first' } as const;
const TURNS = [
  played('a1a2', 'first', 'win 3', 'win 3'),
  played('d4d3', 'second', 'loss 2', 'loss 2'),
  played('b1b2', 'first', 'win 1', 'draw', { mark: '?', better: 'a2a3' }),
];

test('the position that is shown follows the place in the game', () => {
  const record = new GameRecord(START, TURNS);
  expect(record.here).toEqual({ position: 'after b1b2', toMove: 'second' });
  expect(record.goTo(2).here).toEqual({ position: 'after d4d3', toMove: 'first' });
  expect(record.goTo(-3).here).toEqual(START);
  expect(record.goTo(99).atEnd).toBe(true);
});

test('a turn in the middle of a game forgets the later ones', () => {
  const record = new GameRecord(START, TURNS).goTo(1).with([played('c4c3', 'second', 'draw', 'draw')]);
  expect(record.turns.map(({ turn }) => turn)).toEqual(['a1a2', 'c4c3']);
  expect(record.at).toBe(1);
});

test('a game is written with values, and its turns are read back', () => {
  const text = gameText('touchdown:4x4', 'usual', { start: START, turns: TURNS });
  expect(text).toBe(
    '# touchdown:4x4\n# from start\n' +
      'a1a2  # first wins in 3\nd4d3  # second loses in 2\nb1b2  # first draws ?, better: a2a3\n',
  );
  expect(turnsIn(text)).toEqual(['a1a2', 'd4d3', 'b1b2']);
  expect(turnsIn('1. a1a2!\n\n 2. d4d3 ?! # hm\n')).toEqual(['a1a2', 'd4d3']);
});
