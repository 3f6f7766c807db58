// Opponents: strong and weak play, the choice of sides, resigning and new games. Choices are
// remembered.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { history, made, settled, site, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const panel = (page) => page.locator('.opponent');

async function choose(page, name, side = 'Red') {
  await settled(page);
  await panel(page).getByRole('radio', { name }).check({ force: true });
  await panel(page).getByRole('radio', { name: side, exact: true }).check();
  await panel(page).getByRole('button', { name: 'New game' }).click();
  await panel(page).getByText(`You (${side}) against ${name}`).waitFor();
}

test('a perfect opponent wins on schedule and punishes mistakes', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await choose(page, 'Iris');
    for (let turn = 1; turn <= 11; turn += 2) {
      await page.locator('.turns button.turn.win').first().click();
      if (turn < 11) await made(page, turn + 1);
    }
    await page.getByText('Red has won').first().waitFor();
    assert.equal(await history(page).count(), 12);

    // The other game becomes a variation.
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await settled(page);
    await page.locator('.turns button.turn.loss').first().click();
    await made(page, 13);
    assert.match(await verdict(page), /Blue wins in 1[01] turns/);
    assert.match(await page.getByRole('list', { name: 'Variation' }).textContent(), /\?/);
    assert.match(
      await page.getByTestId('accuracy').textContent(),
      /Red\s*0 of \d+\s+turns? kept.*1 win missed/s,
    );
  }));

test('an opponent with Red moves first', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await choose(page, 'Iris', 'Blue');
    await made(page, 1);
    assert.equal(await verdict(page), 'Red wins in 10 turns');
    assert.match(await page.evaluate(() => location.hash), /opponent=iris&you=second/);
    // The address opens the same game, and the opponent continues.
    await page.reload();
    await made(page, 1);
    await page.locator('.turns button.turn').first().click();
    await made(page, 3);
    await panel(page).getByText('You (Blue) against Iris').waitFor();
  }));

test('the random opponent can be beaten from a lost position', () =>
  here.visit('#/touchdown:3x3', async (page) => {
    await choose(page, 'Pip');
    assert.equal(await verdict(page), 'Blue wins in 6 turns');
    await page.locator('.turns button.turn').first().click();
    await made(page, 2);
  }));

test('resigning ends the game and shows the report; a new game has the same opponent', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await choose(page, 'Nora');
    await page.locator('.turns button.turn.loss').first().click();
    await made(page, 2);
    await panel(page).getByRole('button', { name: 'Resign' }).click();
    await panel(page).getByText('You resigned: Nora wins.').waitFor();
    await page.locator('.mistake').first().waitFor();
    await panel(page).getByRole('button', { name: 'New game' }).click();
    await made(page, 0);
    await panel(page).getByText('You (Red) against Nora').waitFor();
    await panel(page).getByRole('button', { name: 'Explore without Nora' }).click();
    // The choice is remembered in this browser.
    await page.reload();
    await settled(page);
    assert.ok(await panel(page).getByRole('radio', { name: 'Nora' }).isChecked());
  }));

test('a turn is taken back together with the reply', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await choose(page, 'Iris');
    await page.locator('.turns button.turn').first().click();
    await made(page, 2);
    await page.keyboard.press('u');
    await page.getByText('Red wins in 11 turns').first().waitFor();
  }));
