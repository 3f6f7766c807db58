// The play screen on a phone, in portrait and landscape, and in print.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settled, site } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const GAME = '#/touchdown:4x4?turns=a1a2;d4d3(b4b3)';
const phone = (width, height) => ({ viewport: { width, height }, hasTouch: true, isMobile: true });
const heights = (page, selector) =>
  page
    .locator(selector)
    .evaluateAll((found) => found.map((element) => element.getBoundingClientRect().height));
const bottom = (page, selector) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.getBoundingClientRect().bottom);

test('on a phone the header is one row, and everything is large enough to touch', () =>
  here.visit(
    GAME,
    async (page) => {
      await settled(page);
      assert.ok((await heights(page, 'header'))[0] < 60);
      for (const selector of ['.turns button', '.history button', '.controls button', 'header nav a']) {
        const found = await heights(page, selector);
        assert.ok(found.length > 2, selector);
        assert.ok(Math.min(...found) >= 40, `${selector}: ${Math.min(...found)}`);
      }
    },
    phone(390, 844),
  ));

test('in landscape the controls are next to the board, above the fold', () =>
  here.visit(
    GAME,
    async (page) => {
      await settled(page);
      assert.ok((await bottom(page, '.stage .board')) <= 390);
      assert.ok((await bottom(page, '.controls')) <= 390);
    },
    phone(844, 390),
  ));

test('printed pages have the board and the game, without buttons', () =>
  here.visit(GAME, async (page) => {
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.locator('.stage .board').isVisible());
    assert.match(await page.locator('.history').innerText(), /a1a2/);
    for (const selector of ['.controls', 'header nav', '.opponent', '.variations', '.turns'])
      assert.ok(!(await page.locator(selector).first().isVisible()), selector);
  }));
