// The rules dialog: it opens on the first visit to a family, by a key and by a button.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { settled, site } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const firstVisit = true;
const rules = (page) => page.getByRole('dialog', { name: /^How to play/ });

test('the rules open on the first visit to each family', () =>
  here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await rules(page).waitFor();
      assert.equal(
        await page.getByRole('button', { name: 'Got it' }).evaluate((it) => it === document.activeElement),
        true,
      );
      await page.keyboard.press('Escape');
      await rules(page).waitFor({ state: 'hidden' });
      for (const hash of ['#/touchdown:4x4', '#/touchdown:3x3']) {
        await page.goto('about:blank');
        await page.goto(here.url + hash);
        await settled(page);
        await page.waitForTimeout(300);
        assert.equal(await rules(page).isVisible(), false, hash);
      }
      await page.evaluate(() => (location.hash = '#/tactics:3x3'));
      await rules(page).waitFor();
      await page.getByRole('button', { name: 'Got it' }).click();
      await rules(page).waitFor({ state: 'hidden' });
    },
    { firstVisit },
  ));

test('rules have sentences, boards, the meaning of the numbers, and keys', () =>
  here.visit('#/pushfight:mini', async (page) => {
    await settled(page);
    assert.equal(await rules(page).isVisible(), false);
    const button = page.getByRole('button', { name: 'Rules' });
    await button.click();
    await rules(page).waitFor();
    assert.ok((await rules(page).locator('ol > li').count()) >= 4);
    assert.equal(await rules(page).locator('figure .board').count(), 3);
    assert.ok((await rules(page).locator('figure .piece').count()) > 6);
    await rules(page).getByRole('heading', { name: 'What the numbers mean' }).waitFor();
    await rules(page).getByText('Keys', { exact: true }).click();
    await rules(page).getByText('flip the board').waitFor();
    await page.keyboard.press('Escape');
    await rules(page).waitFor({ state: 'hidden' });
    // The focus returns to where it was.
    assert.equal(await button.evaluate((it) => it === document.activeElement), true);
    for (const action of ['opened', 'closed']) {
      await page.keyboard.press('?');
      await rules(page).waitFor({ state: action === 'opened' ? 'visible' : 'hidden' });
    }
  }));

test('the rules are accessible and fit a small screen', async () => {
  for (const [hash, colorScheme, viewport] of [
    ['#/pushfight:mini', 'light', { width: 1280, height: 800 }],
    ['#/tactics:3x3', 'dark', { width: 1280, height: 800 }],
    ['#/touchdown:4x4', 'light', { width: 340, height: 700 }],
  ]) {
    await here.visit(
      hash,
      async (page) => {
        await rules(page).waitFor();
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() =>
          globalThis.axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }),
        );
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
          [],
          hash,
        );
        const wide = await rules(page).evaluate((it) => it.scrollWidth - it.clientWidth);
        assert.ok(wide <= 0, `${hash}: ${wide} pixels too wide`);
      },
      { firstVisit, colorScheme, viewport },
    );
  }
});
