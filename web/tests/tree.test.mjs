// Variations: in the address, across screens, reload, back and forward; promoted and removed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { history, made, newGame, settled, site, square, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
const at = (page, wanted) =>
  page.waitForFunction((text) => decodeURIComponent(location.hash) === text, wanted);
const current = (page) => page.locator('.history [aria-current]').textContent();

async function turn(page, from, to) {
  await settled(page);
  await square(page, from).click();
  await square(page, to).click();
  await settled(page);
}

test('another turn from an earlier position begins a variation, and nothing is lost', () =>
  here.visit('#/touchdown:4x4?turns=a1a2;d4d3;b1b2', async (page) => {
    await made(page, 3);
    await page.keyboard.press('Home');
    await turn(page, 'c1', 'c2');
    await turn(page, 'a4', 'a3');
    await made(page, 5);
    await at(page, '#/touchdown:4x4?turns=a1a2(c1c2;a4a3);d4d3;b1b2&at=3');
    const variation = page.getByRole('list', { name: 'Variation' });
    assert.match(await variation.textContent(), /1\.\s*c1c2.*2\.\s*a4a3/s);

    // Going back and forth stays in the variation; a button leads to the main line.
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await settled(page);
    assert.match(await current(page), /a4a3/);
    await page.getByRole('button', { name: 'Back to main line' }).click();
    await page.keyboard.press('End');
    await settled(page);
    assert.match(await current(page), /3\.\s*b1b2/);
  }));

test('a variation is promoted, removed and brought back', () =>
  here.visit('#/touchdown:4x4?turns=a1a2(c1c2;a4a3);d4d3;b1b2&at=3', async (page) => {
    await made(page, 5);
    assert.match(await current(page), /a4a3/);
    await page.getByRole('button', { name: 'Promote' }).click();
    await at(page, '#/touchdown:4x4?turns=c1c2(a1a2;d4d3;b1b2);a4a3');
    await page.keyboard.press('ArrowLeft');
    await settled(page);
    await page.getByRole('button', { name: 'Delete from here' }).click();
    await at(page, '#/touchdown:4x4?turns=a1a2;d4d3;b1b2&at=0');
    await page.getByRole('button', { name: 'Undo delete' }).click();
    await at(page, '#/touchdown:4x4?turns=c1c2(a1a2;d4d3;b1b2);a4a3&at=1');
  }));

test('the game survives other screens, the home page, reload and the way back', () =>
  here.visit('#/touchdown:4x4?turns=a1a2;d4d3', async (page) => {
    await made(page, 2);
    await turn(page, 'b1', 'b2');
    const game = '#/touchdown:4x4?turns=a1a2;d4d3;b1b2';
    await at(page, game);
    const value = await verdict(page);
    const same = async () => {
      await made(page, 3);
      assert.equal(await verdict(page), value);
      assert.equal(await hash(page), game);
    };

    await page.getByRole('link', { name: 'Set up' }).click();
    // Set up starts with the shown position.
    await page.waitForFunction(() =>
      /Red pawn/.test(document.querySelector('[data-square=b2]')?.getAttribute('aria-label') ?? ''),
    );
    await page.getByRole('link', { name: 'Play' }).click();
    await same();
    await page.getByRole('link', { name: 'Retrograde' }).click();
    await page.locator('.family', { hasText: 'TouchDown' }).getByRole('link', { name: 'Explore' }).click();
    await same();
    await page.getByRole('link', { name: 'Retrograde' }).click();
    await page.locator('.family').first().waitFor();
    await page.goBack();
    await same();
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.reload();
    await page.getByRole('link', { name: 'Play' }).click();
    await same();
    await page.reload();
    await same();
  }));

test('an illegal turn in an address is named, and the turns before it are kept', () =>
  here.visit(
    '#/touchdown:4x4?turns=a1a2(c1c2);d4d3;b1b3;c1c2&at=4',
    async (page) => {
      await page.getByRole('alert').getByText('Ignored “b1b3” in the address').waitFor();
      await made(page, 3);
      assert.equal(await hash(page), '#/touchdown:4x4?turns=a1a2(c1c2);d4d3');
      assert.equal(await verdict(page), 'Red wins in 9 turns');
    },
    { expected: ['400'] },
  ));

test('a new game starts over, and old addresses still work', () =>
  here.visit('#/touchdown:4x4?turns=a1a2;d4d3;b1b2&at=2', async (page) => {
    await made(page, 3);
    assert.equal(await history(page).count(), 4);
    assert.equal(await verdict(page), 'Red wins in 9 turns');
    assert.match(await current(page), /2\.\s*d4d3/);
    await newGame(page, { opponent: 'Mila', from: 'The start' });
    await page.waitForFunction(() => !location.hash.includes('turns'));
    assert.equal(await hash(page), '#/touchdown:4x4?opponent=mila');
  }));
