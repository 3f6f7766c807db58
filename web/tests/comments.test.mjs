// Comments on mistakes: below the board, with the better turn and the refutation, and after the game.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { made, settled, site, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const comments = (page) => page.getByTestId('comments');
const current = (page) => page.locator('.history [aria-current]').textContent();

test('a mistake is explained in board coordinates, with the better turn and the refutation', () =>
  here.visit('#/touchdown:4x4?turns=b1b2;d4d3', async (page) => {
    await made(page, 2);
    // In Blue's coordinates this is c1c2.
    await comments(page)
      .getByText('Blue threw the win away: Red now wins in 9 turns. b4b3 was better.')
      .waitFor();

    await comments(page).getByRole('button', { name: 'Show' }).click();
    await page.getByText('Blue wins in 10 turns').first().waitFor();
    assert.match(await current(page), /2\.\s*b4b3/);
    assert.match(await page.getByRole('list', { name: 'Variation' }).textContent(), /b4b3/);

    await page.getByRole('button', { name: 'Back to main line' }).click();
    await page.keyboard.press('End');
    await comments(page).getByText('Blue threw the win away').waitFor();
    await comments(page).getByRole('button', { name: 'Refute' }).click();
    await page.getByText('Red wins in 8 turns').first().waitFor();
    assert.match(await current(page), /3\.\s*a1a2/);
  }));

test('a comment has the better turn in words, on the board and in the report', () =>
  here.visit(
    '#/pushfight:mini,pushers=1,pawns=1?position=........Ox.Y.o&turns=e2-e3,e1-e2,e3-e2',
    async (page) => {
      await comments(page).getByText('Blue now wins in 1 turn. Push e2-f2 was better.').waitFor();
      await page.locator('.mistakes summary').click();
      const mistake = page.locator('.mistake');
      await mistake.getByText('Push e2-f2 was better.').waitFor();
      await mistake.getByRole('button', { name: 'Show push e2-f2' }).click();
      await page.getByText('Red has won').first().waitFor();
    },
  ));

test('after the game, each mistake has a card with a board and can be replayed', () =>
  here.visit('#/touchdown:4x4?turns=b1b2;d4d3', async (page) => {
    await settled(page);
    await page.locator('.advantage').getByText('Blue wins').waitFor();
    await page.getByRole('button', { name: 'Best line' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.keyboard.press('End');
    await page.getByText('Red has won').first().waitFor();
    const cards = page.locator('.mistake');
    await cards.first().locator('.board').waitFor();
    assert.equal(await cards.count(), 2);
    assert.match(await cards.nth(1).textContent(), /2\. d4d3\?.*b4b3 was better/s);
    await cards.nth(1).getByRole('button', { name: 'Replay from here' }).click();
    await settled(page);
    assert.match(await current(page), /1\.\s*b1b2/);
    assert.equal(await verdict(page), 'Blue wins in 11 turns');
  }));

test('the comment on the player’s mistake stays after the opponent’s reply', () =>
  here.visit('#/touchdown:4x4?opponent=iris', async (page) => {
    await settled(page);
    await page.keyboard.press('v');
    await page.locator('.turns button.turn.loss').first().click();
    await made(page, 2);
    await comments(page).getByText('Red threw the win away').waitFor();
  }));
