import { expect, test } from 'vitest';
import { readAddress, writeAddress } from '../src/navigation/address';
import { readTurns } from '../src/navigation/written-turns';

test.each([
  '#/',
  '#/?day=20261123',
  '#/touchdown:4x4',
  '#/touchdown:4x4/setup',
  '#/pushfight:mini,moves=1/numbers',
  '#/pushfight:mini/numbers?outcome=draw',
  '#/touchdown:4x4/numbers?outcome=loss&depth=12',
  '#/touchdown:4x4/setup?board=OO../.X..&to_move=second',
  '#/touchdown:4x4?turns=a1a2;a1a2;b1b2&at=2',
  '#/touchdown:4x4?position=OO../XX..&to_move=second',
  '#/pushfight:mini?turns=O:a2,b1%20o:b3,c1',
  '#/touchdown:4x4/puzzles?position=OO../XX..&kind=save',
  '#/touchdown:4x4?turns=a1a2(b1b2;c1c2);b1b2&at=3',
  '#/touchdown:4x4?opponent=mila&you=second',
  '#/touchdown:4x4/puzzles?kind=win&depth=5&count=10&seed=42',
  '#/touchdown:4x4/puzzles?position=OO../XX..&kind=win&depth=7',
  '#/touchdown:4x4/puzzles?position=OO../XX..&kind=win&day=20261123',
])('%s is written as it was read', (hash) => {
  expect(writeAddress(readAddress(hash))).toBe(hash);
});

test('an address has all its parts', () => {
  expect(
    readAddress('#/touchdown:4x4/setup?position=OO&to_move=second&turns=a;b&at=1&opponent=mila'),
  ).toEqual({
    game: 'touchdown:4x4',
    screen: 'setup',
    position: 'OO',
    toMove: 'second',
    turns: readTurns('a;b'),
    at: 1,
    end: null,
    kind: null,
    outcome: null,
    board: null,
    opponent: 'mila',
    you: 'first',
    series: {},
  });
  expect(readAddress('#/g/puzzles?kind=other').kind).toBeNull();
  expect(readAddress('#/g/numbers?outcome=other').outcome).toBeNull();
});

test('a place beyond the turns is the last one, and the last one is not written', () => {
  expect(readAddress('#/g?turns=a;b&at=7').at).toBe(2);
  expect(writeAddress({ game: 'g', turns: readTurns('a;b'), at: 2 })).toBe('#/g?turns=a;b');
  expect(readAddress('#/g?turns=a;b&at=-1').at).toBeNull();
  const turns = readTurns('a(x;y);b');
  expect(writeAddress({ game: 'g', turns, at: 4 })).toBe('#/g?turns=a(x;y);b');
  expect(writeAddress({ game: 'g', turns, at: 2 })).toBe('#/g?turns=a(x;y);b&at=2');
});

test('stray characters do no harm', () => {
  expect(readAddress('#/%?turns=%').game).toBe('%');
  expect(readAddress('').game).toBeNull();
  expect(writeAddress({ game: 'a b/c' })).toBe('#/a%20b%2Fc');
});

test('the end of a game is in the address, only with an opponent', () => {
  const hash = '#/touchdown:4x4?turns=a1a2&opponent=iris&end=resigned';
  expect(readAddress(hash).end).toBe('resigned');
  expect(writeAddress(readAddress(hash))).toBe(hash);
  expect(writeAddress({ ...readAddress(hash), opponent: null })).toBe('#/touchdown:4x4?turns=a1a2');
  expect(readAddress('#/touchdown:4x4?end=nonsense').end).toBeNull();
});
