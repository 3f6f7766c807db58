import { expect, test } from 'vitest';
import { boardGame, boardName, boardOf, gameHere, readGuest } from '../src/api/guest-name';
import { readAddress, writeAddress } from '../src/navigation/address';
import { readTurns } from '../src/navigation/written-turns';
import { fileName, titleOf } from '../src/words/games';

const BOARD = 'name = ring\nmoves = 1\n+ +-+ +\n . . .\n+ + + +\n';

test.each([BOARD, '', '+', 'name = größer\n+ +\n .\n+ +\n', `${'+ '.repeat(40)}\n>>>???~~~`])(
  'an address holds a board letter for letter: %j',
  (text) => {
    const game = boardGame(text);
    expect(game).toMatch(/^board:[A-Za-z0-9_-]*$/);
    expect(boardOf(game)).toBe(text);
    // Addresses do not change any of its characters.
    for (const screen of ['', 'numbers', 'board']) {
      const hash = writeAddress({ game, screen, turns: readTurns('a1-b1') });
      expect(hash).toContain(game);
      expect(readAddress(hash)).toMatchObject({ game, screen, turns: [{ turn: 'a1-b1' }] });
    }
  },
);

test('a truncated address has an empty board', () => {
  expect(boardOf('board:x')).toBe('');
  expect(boardOf('board:%%%')).toBe('');
});

test('the name of a game that is solved here', () => {
  const game = gameHere('touchdown:3x4,x=1');
  expect(readGuest(game)).toEqual({ name: 'touchdown:3x4,x=1', board: null });
  expect(readAddress(writeAddress({ game })).game).toBe(game);
  expect(titleOf(gameHere('touchdown:3x4'))).toBe('TouchDown 3 × 4');
  expect(readGuest('touchdown:3x4')).toBeNull();
});

test('a board is called by its name', () => {
  expect(boardName(BOARD)).toBe('ring');
  expect(boardName('moves = 1\n+ +\nname = x\n')).toBeNull();
  expect(titleOf(boardGame(BOARD))).toBe('Push Fight on “ring”');
  expect(titleOf(boardGame('+ +\n .\n+ +\n'))).toBe('Push Fight on “your board”');
  expect(fileName(boardGame(BOARD))).toBe('pushfight-ring');
});
