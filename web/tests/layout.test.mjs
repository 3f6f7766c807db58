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

test('on a phone the colours can be chosen on every screen', async () => {
  for (const width of [360, 390])
    for (const hash of [
      '',
      GAME,
      ...['setup', 'numbers', 'puzzles'].map((to) => `#/touchdown:4x4/${to}`),
      '#/board',
    ])
      await here.visit(
        hash,
        async (page) => {
          const button = page.getByRole('button', { name: /colours: change/ });
          const { x, width: wide, height } = await button.boundingBox();
          assert.ok(x + wide <= width && wide >= 35 && height >= 40, `${hash}: ${x} ${wide} ${height}`);
          const hidden = await page
            .locator('header nav')
            .evaluateAll((all) => all.map((nav) => nav.scrollWidth - nav.clientWidth));
          // All screens are shown too; letters of another font may be wider.
          assert.ok(
            hidden.every((pixels) => pixels < 6),
            `${hash}: ${hidden}`,
          );
          await button.click();
          assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
        },
        phone(width, 844),
      );
});

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
    assert.match(await page.locator('.status').innerText(), /(Red|Blue) to move\./);
    assert.equal(await page.locator('.stage .dot:visible').count(), 0);
    const exact = await page.locator('.value .bar').evaluate((bar) => getComputedStyle(bar).printColorAdjust);
    assert.equal(exact, 'exact', 'the bar keeps its colours');
    for (const selector of ['.controls', 'header nav', '.opponent', '.variations', '.turns'])
      assert.ok(!(await page.locator(selector).first().isVisible()), selector);
  }));

test('no line of the numbers begins with a comma or a full stop', () =>
  here.visit('#/pushfight:mini/numbers', async (page) => {
    await page.locator('.numbers .lead').waitFor();
    const faults = [];
    for (let width = 320; width <= 480; width += 5) {
      await page.setViewportSize({ width, height: 844 });
      const found = await page.locator('.numbers .lead').evaluate((lead) => {
        const left = lead.getBoundingClientRect().left;
        const walker = document.createTreeWalker(lead, NodeFilter.SHOW_TEXT);
        const faults = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const at = node.data.search(/\S/);
          if (!/[.,]/.test(node.data[at] ?? '')) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          if (range.getBoundingClientRect().left < left + 5) faults.push(node.data.trim());
        }
        return faults;
      });
      if (found.length > 0) faults.push(`${width}: ${found}`);
    }
    assert.deepEqual(faults, []);
  }));

test('with a zoom of 200 % the board has most of the width, and nothing is cut off', async () => {
  for (const viewport of [
    { width: 640, height: 450 },
    { width: 683, height: 384 },
  ])
    for (const hash of [GAME, '#/touchdown:4x4/puzzles'])
      await here.visit(
        hash,
        async (page) => {
          await settled(page);
          const { width } = await page.locator('.stage .board').first().boundingBox();
          const { width: wide } = await page.locator('.stage').first().boundingBox();
          // The board itself may be as high as the screen.
          assert.ok(width > 0.9 * Math.min(wide, viewport.height - 72), `${hash}: ${width} of ${wide}`);
          assert.ok(wide > 0.5 * viewport.width, `${hash}: ${wide} of ${viewport.width}`);
          const cut = await page.locator('.table button:visible').evaluateAll((all) =>
            all.filter((one) => {
              const { left, right } = one.getBoundingClientRect();
              return left < 0 || right > innerWidth;
            }),
          );
          assert.equal(cut.length, 0);
        },
        { viewport },
      );
});

test('there is nothing to take back at the start', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    const button = page.getByRole('button', { name: 'Take back' });
    assert.ok(await button.isDisabled());
    await page.locator('[data-square="a1"]').click();
    await button.click();
    assert.ok(await button.isDisabled());
  }));
