// A game with passes, an example of crates/retrograde-classics: a pass can be chosen although it names no square.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask, history, made, newGame, settled, site, square } from './site.mjs';

const GAME = 'passes:3x3';
const program = join(dirname(process.env.RETROGRADE), 'examples', 'passes');
const skip = existsSync(program) ? false : 'the example `passes` of retrograde-classics was not built';

let here;
before(async () => {
  if (!skip) here = await site([], { program, game: GAME });
});
after(() => here?.close());

const pass = (page) => page.getByRole('button', { name: 'Pass', exact: true });
const status = (page, text) => page.getByTestId('status').getByText(text).waitFor();

test('a player passes although values are hidden, and the report says so', { skip }, () =>
  here.visit(`#/${GAME}`, async (page) => {
    await settled(page);
    await page.keyboard.press('v');
    await page.getByText('Show values to see this list.').waitFor();
    await pass(page).click();
    await made(page, 1);
    await status(page, /^Red passed\. Blue to move\.$/);
    await square(page, 'a3').click();
    await square(page, 'a2').click();
    await made(page, 2);
    await status(page, 'Blue played a3a2. Red to move.');
    await pass(page).click();
    await made(page, 3);
    const turns = (await history(page).allTextContents()).map((text) => text.trim());
    assert.deepEqual(turns.slice(1), ['1. pass', '2. a3a2', '3. pass']);
  }),
);

test('a player without another turn is told to pass', { skip }, () =>
  here.visit(`#/${GAME}?position=O../X../...`, async (page) => {
    await status(page, 'Red to move. The only turn is to pass.');
    await pass(page).click();
    await status(page, 'Red passed. Blue to move. The only turn is to pass.');
  }),
);

test('a player passes against an opponent, whose turn it is then', { skip }, () =>
  here.visit(`#/${GAME}`, async (page) => {
    await newGame(page, { opponent: 'Iris' });
    await settled(page);
    await pass(page).click();
    await made(page, 2);
    await pass(page).and(page.locator(':enabled')).waitFor();
  }),
);

test('a pass solves a puzzle, and another turn does not', { skip }, async () => {
  const { puzzles } = await ask(here.url, `games/${GAME}/puzzles?kind=save&limit=1`);
  const [{ position, solution }] = puzzles;
  assert.equal(solution, 'pass');
  const answer = (page, text) => page.getByTestId('answer').getByText(text).waitFor();
  await here.visit(`#/${GAME}/puzzles?position=${position}&kind=save`, async (page) => {
    await square(page, 'a1').click();
    await square(page, 'a2').click();
    await answer(page, 'Not a1a2.');
    await page.getByRole('button', { name: 'Try again' }).click();
    await pass(page).click();
    await answer(page, 'Correct: The solution is a pass.');
  });
});

test('a turn of squares has no button', { skip }, () =>
  here.visit(`#/${GAME}`, async (page) => {
    await pass(page).waitFor();
    const named = page.getByRole('group', { name: 'Turns without squares' }).getByRole('button');
    assert.deepEqual(await named.allTextContents(), ['Pass']);
  }),
);
