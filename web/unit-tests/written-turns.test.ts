import { expect, test } from 'vitest';
import { inOrder, readTurns, writeTurns } from '../src/navigation/written-turns';

test.each(['', 'a', 'a;b;c', 'a(b;c);d', 'a(b(c);d)(e);f', 'O:a2,b1 o:b3,c1;d1-a2,d3-c3', 'a;~b(~c;d);~e'])(
  '%j is written as it was read',
  (text) => {
    expect(writeTurns(readTurns(text))).toBe(text);
  },
);

test('turns are numbered as they are written', () => {
  expect(inOrder(readTurns('a(b(c);d)(e);f')).map(({ turn }) => turn)).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
    'f',
  ]);
});

test.each([
  [';;a;;b;', 'a;b'],
  ['(a);b', 'a;b'],
  ['a(b', 'a(b)'],
  ['a)b', 'a;b'],
])('of %j the good parts are read', (text, good) => {
  expect(writeTurns(readTurns(text))).toBe(good);
});
