import { expect, test } from 'vitest';
import { boardGame } from '../src/api/guest-name';
import { gameText, readGame, turnsIn } from '../src/words/records';
import { played } from './made';

const START = { position: 'start', toMove: 'first' } as const;
const TURNS = [
  played('a1a2', 'first', 'win 3', 'win 3'),
  played('a1a2', 'second', 'loss 2', 'loss 2', { turn_on_board: 'd4d3' }),
  played('b1b2', 'first', 'win 1', 'draw', { mark: '?', comment: 'Red let the win slip.' }),
];

test('a game is written in board coordinates, with a header that says so', () => {
  expect(gameText('touchdown:4x4', 'start', { start: START, turns: TURNS })).toBe(
    '# touchdown:4x4\n# coordinates: board\n' +
      'a1a2  # Red wins in 3\nd4d3  # Blue loses in 2\nb1b2?  # Red let the win slip.\n',
  );
});

test('a game that was solved in the browser has its full name in records, and a drawn board has none', () => {
  const game = { start: START, turns: TURNS.slice(0, 1) };
  const text = '# coordinates: board\na1a2  # Red wins in 3\n';
  expect(gameText('here:touchdown:4x4', 'start', game)).toBe(`# touchdown:4x4\n${text}`);
  expect(gameText(boardGame('name = ring'), 'start', game)).toBe(text);
});

test('another start is written and read back', () => {
  const start = { position: 'there', toMove: 'second' } as const;
  const text = gameText('touchdown:4x4', 'start', { start, turns: TURNS.slice(1, 2) });
  expect(readGame(text)).toEqual({
    game: 'touchdown:4x4',
    coordinates: 'board',
    position: 'there',
    toMove: 'second',
    turns: ['d4d3'],
  });
});

test('a record without a header may use either coordinates', () => {
  expect(readGame('# a game of mine\n1. a1a2!\n# from x\n2. d4d3 ?! # hm\n')).toEqual({
    game: null,
    coordinates: 'either',
    position: null,
    toMove: 'first',
    turns: ['a1a2', 'd4d3'],
  });
  expect(readGame('# pushfight:mini,moves=1\n# coordinates: mover\n').coordinates).toBe('mover');
  expect(readGame('# pushfight:mini,moves=1\n').game).toBe('pushfight:mini,moves=1');
});

test('turns are read without numbers, marks and comments', () => {
  expect(turnsIn('1. a1a2!\n\n 2. d4d3 ?! # hm\n')).toEqual(['a1a2', 'd4d3']);
  expect(turnsIn('O:a2,b1 o:b2,c1\n')).toEqual(['O:a2,b1 o:b2,c1']);
  expect(turnsIn('\ufeff[Event "x"]\r\n{ said\r\nbefore } 1. a1a2 d4d3 ; so far\r1... b1b2 1-0')).toEqual([
    'a1a2 d4d3',
    'b1b2 1-0',
  ]);
});
