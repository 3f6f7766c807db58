import { expect, test } from 'vitest';
import { chanceText, mistakesText, resultText } from '../src/words/results';
import { verdict } from './made';

test('the result is told to the visitor', () => {
  expect(resultText('first', 'first', 'Iris')).toBe('You won');
  expect(resultText('first', 'second', 'Iris')).toBe('Iris won');
  expect(resultText(null, 'first', 'Iris')).toBe('Draw');
});

test('what was still possible when the visitor resigned', () => {
  expect(chanceText(verdict('win 3'), 'first', 'first')).toBe('You could still have won.');
  expect(chanceText(verdict('loss 3'), 'first', 'second')).toBe('You could still have won.');
  expect(chanceText(verdict('win 3'), 'first', 'second')).toBe('');
  expect(chanceText(verdict('draw'), 'second', 'first')).toBe('You could still have held a draw.');
  expect(chanceText(null, 'first', 'first')).toBe('');
});

test('mistakes are counted', () => {
  expect(mistakesText([])).toBe('You made no mistakes.');
  expect(mistakesText(['?'])).toBe('You made 1 mistake.');
  expect(mistakesText(['?!', '?!'])).toBe('You made 2 inaccuracies.');
  expect(mistakesText(['?', '?!', '?'])).toBe('You made 2 mistakes and 1 inaccuracy.');
});
