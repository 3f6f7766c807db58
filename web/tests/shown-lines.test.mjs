// Best lines and refutations that the page shows: they can be walked through, but the game and its report have only what
// was played.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { history, made, settled, site, square, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
const accuracy = (page) => page.getByTestId('accuracy');

async function bestLine(page, turns) {
  await page.getByRole('button', { name: 'Best line' }).click();
  await made(page, turns);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.keyboard.press('End');
  await settled(page);
}

test('a best line is not part of the game, its report and its record, also after reload', () =>
  here.visit('#/touchdown:4x4?turns=a1a2', async (page) => {
    await made(page, 1);
    await bestLine(page, 11);
    await page.getByText('Red has won').first().waitFor();
    const check = async () => {
      assert.match(await accuracy(page).textContent(), /Red\s*1 of 1\s+turn kept/);
      assert.equal(await accuracy(page).getByText('Blue').count(), 0);
      assert.equal(await page.locator('.history .demo').count(), 10);
      assert.match(await history(page).nth(2).textContent(), /shown, not played/);
      const text = await page.getByLabel('Save this game').inputValue();
      assert.equal(text.split('\n').filter((line) => /^[a-d]\d/.test(line)).length, 1);
    };
    await check();
    assert.match(await hash(page), /turns=a1a2;~\w+;~/);
    assert.match(await page.getByTestId('status').textContent(), /Red could play/);
    await page.reload();
    await made(page, 11);
    await check();
  }));

test('without a turn of a player there is no report', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    await bestLine(page, 11);
    assert.equal(await accuracy(page).count(), 0);
    assert.equal(await page.locator('.advantage').count(), 0);
  }));

test('a turn of a player goes before a line that was shown, and playing a shown turn counts', () =>
  here.visit('#/touchdown:4x4?turns=a1a2', async (page) => {
    await made(page, 1);
    await bestLine(page, 11);
    const [, from, to] = /2\.\s*([a-d]\d)([a-d]\d)/.exec(await history(page).nth(2).textContent());
    await history(page).nth(1).click();
    await settled(page);
    await square(page, from).click();
    await square(page, to).click();
    await settled(page);
    await accuracy(page).getByText('1 of 1 turn').nth(1).waitFor();
    assert.match(await hash(page), new RegExp(`turns=a1a2;${from}${to};~`));
    assert.equal(await page.locator('.history .demo').count(), 9);
  }));

test('a refutation is a line that is shown', () =>
  here.visit('#/touchdown:4x4?turns=b1b2;d4d3', async (page) => {
    await made(page, 2);
    const before = await accuracy(page).textContent();
    await page.getByTestId('comments').getByRole('button', { name: 'Refute' }).click();
    await page.getByText('Red wins in 8 turns').first().waitFor();
    assert.equal(await accuracy(page).textContent(), before);
    assert.match(await hash(page), /turns=b1b2;d4d3;~/);
  }));

test('an opponent does not answer inside of a line that is shown', () =>
  here.visit('#/touchdown:4x4?opponent=iris', async (page) => {
    await settled(page);
    await page.keyboard.press('v');
    await bestLine(page, 11);
    await history(page).nth(1).click();
    await settled(page);
    await page.waitForTimeout(1000);
    assert.equal(await history(page).count(), 12);
    await history(page).nth(0).click();
    await settled(page);
    assert.equal(await verdict(page), 'Red wins in 11 turns');
    await square(page, 'a1').click();
    await square(page, 'a2').click();
    await page.waitForFunction(() => /turns=a1a2;[a-d]/.test(location.hash));
  }));
