import { expect, test } from 'vitest';
import {
  errorText,
  familyOf,
  familyTitle,
  fileName,
  keepTitles,
  sentence,
  titleOf,
  variantTitle,
  withSeparators,
} from '../src/words/games';
import type { GameSummary } from '../src/api/types';
import { pieceText, playerName, withOwners } from '../src/words/players';
import { badgeText, shortText, verdictText } from '../src/words/verdicts';
import { piece, verdict } from './made';

test('a verdict says who wins', () => {
  expect(verdictText(verdict('win 1'), 'first')).toBe('Red wins in 1 turn');
  expect(verdictText(verdict('loss 12'), 'first')).toBe('Blue wins in 12 turns');
  expect(verdictText(verdict('loss 0'), 'second')).toBe('Red has won');
  expect(verdictText(verdict('win'), 'second')).toBe('Blue wins');
  expect(verdictText(verdict('draw'), 'first')).toBe('Draw with perfect play');
  expect(verdictText(verdict('unknown'), 'first')).toBe('Unknown');
});

test('short texts and badges', () => {
  expect(['win 3', 'loss 2', 'draw', 'unknown'].map((v) => shortText(verdict(v)))).toEqual([
    'wins in 3',
    'loses in 2',
    'draws',
    'unknown',
  ]);
  expect(['win 3', 'loss', 'win', 'draw', 'unknown'].map((v) => badgeText(verdict(v)))).toEqual([
    '3',
    '−',
    '+',
    '=',
    '?',
  ]);
});

test('pieces have the names that the game gives them', () => {
  expect(pieceText(piece('pusher', 'X', { anchored: true }))).toBe('Blue pusher with the anchor');
  expect(pieceText(piece('filled', 'X', { owner: null }))).toBe('filled');
  expect(playerName('first')).toBe('Red');
});

test('games have titles and file names', () => {
  expect(titleOf('touchdown:4x4')).toBe('TouchDown 4 × 4');
  expect(titleOf('tactics:5x4,line=3')).toBe('Tactics 5 × 4, line=3');
  expect(titleOf('pushfight:mini,moves=1')).toBe('Push Fight mini, moves=1');
  expect(titleOf('chomp')).toBe('Chomp');
  expect([familyTitle('touchdown'), familyTitle('chomp')]).toEqual(['TouchDown', 'Chomp']);
  expect(variantTitle('TouchDown 4 × 4', 'touchdown:4x4', 'TouchDown')).toBe('4 × 4');
  expect(variantTitle('Push Fight', 'pushfight:standard', 'Push Fight')).toBe('standard');
  expect(variantTitle('A board of mine', 'pushfight:mine', 'Push Fight')).toBe('A board of mine');
  expect(['a game', 'Done!'].map(sentence)).toEqual(['A game.', 'Done!']);
  expect(familyOf('tactics,normal')).toBe('tactics');
  expect(fileName('pushfight:mini,moves=1')).toBe('pushfight-mini-moves-1');
});

test('titles of other games come from answers', () => {
  expect(familyTitle('connectfour', ['Connect Four 4 × 4', 'Connect Four 5 × 4'])).toBe('Connect Four');
  expect(familyTitle('teeko', ['Teeko 4 × 4, advanced'])).toBe('Teeko');
  expect(familyTitle('morris', ['Three Men’s Morris', 'Nine Men’s Morris, men=4'])).toBe('Morris');
  expect(variantTitle('Nine Men’s Morris', 'morris:9', 'Morris')).toBe('Nine Men’s Morris');
  const game = (name: string, title: string) => ({ about: { game: name }, title }) as GameSummary;
  keepTitles([game('connectfour:4x4', 'Connect Four 4 × 4'), game('nim:3', 'nim:3')]);
  keepTitles([game('pushfight:mini', 'Push Fight')]);
  expect(['connectfour:4x4', 'nim:3', 'pushfight:mini'].map(titleOf)).toEqual([
    'Connect Four 4 × 4',
    'Nim 3',
    'Push Fight mini',
  ]);
});

test('numbers and errors', () => {
  expect(withSeparators(401567166000)).toBe('401,567,166,000');
  expect(withSeparators('36893488147419103232')).toBe('36,893,488,147,419,103,232');
  expect(withSeparators(999)).toBe('999');
  expect(errorText(new Error('no'))).toBe('no');
  expect(errorText('no')).toBe('no');
});

test('a position that is impossible has players instead of letters', () => {
  const pieces = ['O', 'o', 'X', 'x'].map((letter) => piece(letter < 'a' ? 'pusher' : 'pawn', letter));
  const said = (reason: string, first?: 'first' | 'second') => {
    const where = 'position “1 O\n2 x `X`”: ';
    const text = withOwners(where + reason, pieces, first);
    expect(text.startsWith(where)).toBe(true);
    return text.slice(where.length);
  };
  expect(said('found 2 O or P, 0 o, 10 X or Y, and 1 x')).toBe(
    'found 2 Red pushers, no Red pawns, 10 Blue pushers, and 1 Blue pawn',
  );
  expect(said('5 pawns `x`, but at most 4 are possible')).toBe('5 Blue pawns, but at most 4 are possible');
  expect(said('`X` has won', 'second')).toBe('Red has won');
  expect(said('`n` has won, at most 4 a')).toBe('`n` has won, at most 4 a');
  for (const text of ["found '?' at character 8, expected one of `X`, `O` or `.`", 'there are two anchors'])
    expect(said(text)).toBe(text);
  expect(withOwners('turn 1 “x”: not a turn here: `X`', pieces)).toBe('turn 1 “x”: not a turn here: `X`');
});
