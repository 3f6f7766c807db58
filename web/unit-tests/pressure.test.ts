import { expect, test } from 'vitest';
import type { HoldingTurn, Probe } from '../src/api/types';
import { hardestText, holdingText, quietText, shadeText } from '../src/words/pressure';
import { turn, verdict } from './made';

const probe = (value: string, turns: string[]): Probe =>
  ({
    turns_available: turns.map((value, at) => turn(`t${at}`, value)),
    to_move: 'second',
    ...verdict(value),
  }) as Probe;

test('turns that keep the outcome are counted if there is a choice', () => {
  expect(holdingText(probe('draw', ['draw', 'draw', 'loss 2']))).toBe('2 of Blue’s 3 turns hold the draw.');
  expect(holdingText(probe('draw', ['draw', 'unknown']))).toBe('');
  expect(holdingText(probe('draw', ['draw', 'loss 2']))).toBe('1 of Blue’s 2 turns holds the draw.');
  expect(holdingText(probe('win 3', ['win 3', 'win 5', 'draw']))).toBe('2 of Blue’s 3 turns win.');
  expect(holdingText(probe('draw', ['draw']))).toBe('');
  expect(holdingText(probe('loss 2', ['loss 2', 'loss 2']))).toBe('');
  const page = { offset: 0, count: 40, next: 2 };
  expect(holdingText({ ...probe('draw', ['draw', 'draw']), page })).toBe('');
});

test('the toughest turn comes with the number of turns checked', () => {
  const hardest = { turn_on_board: 'c1d2', holding: 1, replies: { all: 987 } } as HoldingTurn;
  const counts = { hardest, counted: 4, holding: 1200 };
  expect(hardestText({ ...counts, complete: false })).toBe(
    'Toughest try: c1d2 (only 1 of 987 replies holds; 4 of 1,200 turns checked).',
  );
  const forced = { ...hardest, replies: { all: 1 } } as HoldingTurn;
  expect(hardestText({ ...counts, hardest: forced, complete: true })).toBe(
    'Toughest try: c1d2 (the only reply holds).',
  );
  expect(hardestText({ ...counts, hardest: { ...hardest, holding: 3 }, complete: true })).toBe(
    'Toughest try: c1d2 (3 of 987 replies hold).',
  );
  expect(hardestText({ ...counts, hardest: null, complete: true })).toBe('');
});

test('quiet draws are counted', () => {
  const shades = { game: 'g', draws: 1500, quiet: 300, levels: [], seconds: 0 };
  expect(quietText(shades)).toBe(
    'Of all 1,500 draws, 300 are quiet (neither side can press); in 1,200, one side presses.',
  );
  expect(quietText({ ...shades, draws: 0, quiet: 0 })).toBe('');
});

test('the text of a shade names who presses whom', () => {
  const shade = { side: 'presses', level: 1, turns_to_task: 3 } as const;
  expect(shadeText(shade, 'first')).toBe(
    'Red presses: within 3 turns, Blue will have only one turn that holds the draw.',
  );
  expect(shadeText({ ...shade, side: 'pressed', level: 2, turns_to_task: 2 }, 'first')).toBe(
    'Blue presses: within 2 turns, Red will have only one turn that holds the draw (level 2).',
  );
  expect(shadeText({ side: 'quiet', level: null, turns_to_task: null }, 'first')).toBe(
    'A quiet draw: neither side can press.',
  );
});
