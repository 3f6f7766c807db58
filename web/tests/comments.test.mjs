// Mistakes are explained: under the board with what was better and how it is punished, and after the game.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { made, settled, site, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const comments = (page) => page.getByTestId('comments');
const current = (page) => page.locator('.history [aria-current]').textContent();

test('a mistake is explained in the words of the board; what was better and the refutation are shown', () =>
  here.visit('#/touchdown:4x4?turns=a1a2;c1c2', async (page) => {
    await made(page, 2);
    // Blue's own coordinates would say c1c2 and a1a2.
    await comments(page).getByText('b4b3').waitFor();
    await page.evaluate(() => (location.hash = '#/touchdown:4x4?turns=b1b2;a1a2'));
    await comments(page).getByText('Blue threw the win away: Red now wins in 9. Better was b4b3.').waitFor();

    await comments(page).getByRole('button', { name: 'Show' }).click();
    await page.getByText('Blue wins in 10 turns').first().waitFor();
    assert.match(await current(page), /2\.\s*b4b3/);
    assert.match(await page.getByRole('list', { name: 'Variation' }).textContent(), /b4b3/);

    await page.getByRole('button', { name: 'To the main line' }).click();
    await page.keyboard.press('End');
    await comments(page).getByText('Blue threw the win away').waitFor();
    await comments(page).getByRole('button', { name: 'Refute' }).click();
    await page.getByText('Red wins in 8 turns').first().waitFor();
    assert.match(await current(page), /3\.\s*a1a2/);
  }));

test('after the game its mistakes are cards with a board, and can be replayed', () =>
  here.visit('#/touchdown:3x3?turns=a1a2;b1a2;b1b2;a2b3', async (page) => {
    await settled(page);
    const graph = page.locator('.advantage');
    await graph.getByText('Blue wins').waitFor();
    await page.keyboard.press('End');
    await settled(page);
    assert.match(await verdict(page), /has won|wins in/);
    const cards = page.locator('.mistake');
    if (!(await cards.first().isVisible())) await page.locator('.mistakes summary').click();
    await cards.first().locator('.board').waitFor();
    assert.ok((await cards.first().textContent()).length > 20, 'it is explained');
    const number = Number(/(\d+)\./.exec(await cards.first().textContent())[1]);
    await cards.first().getByRole('button', { name: 'Replay from here' }).click();
    await settled(page);
    const at = await page.locator('.history [aria-current]').textContent();
    assert.match(at, number === 1 ? /Start/ : new RegExp(`${number - 1}\\.`));
  }));

test('against an opponent the own mistake stays explained under his answer', () =>
  here.visit('#/touchdown:4x4?opponent=iris', async (page) => {
    await settled(page);
    await page.locator('.turns button.turn.loss').first().click();
    await made(page, 2);
    await comments(page).getByText('Red threw the win away').waitFor();
  }));
