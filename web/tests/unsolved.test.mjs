// Unsolved games: known results, explanations of what does not work, and alternatives.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { history, made, settled, site, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const status = (page) => page.getByTestId('status').textContent();

test('without values, the buttons for hints, best lines and values explain why they are off', () =>
  here.visit('#/touchdown:6x6', async (page) => {
    await settled(page);
    assert.equal((await verdict(page)).trim(), 'Unknown');
    for (const [name, reason] of [
      ['Hint', /No turn is known to be better/],
      ['Best line', /value of this position is not known/],
      ['Values', /No values are known here/],
    ]) {
      const button = page.getByRole('button', { name, exact: true });
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
      await button.click({ force: true });
      assert.match(await status(page), reason);
    }
    await page.keyboard.press('h');
    assert.equal(await page.locator('.stage .arrow').count(), 0, 'no arbitrary turn is marked');
    assert.equal(await page.locator('.best').count(), 0, 'no arbitrary turn is called best');

    const known = page.locator('.known');
    await known.getByText(/This search looked at [\d,]+ positions/).waitFor();
    assert.match(await known.textContent(), /[Ss]olv/);
    assert.doesNotMatch(await page.locator('main').textContent(), /`/);
    assert.match(await page.locator('.opponent').textContent(), /searches only/);

    // It can still be played.
    await page.locator('.turns button.turn').first().click();
    await made(page, 1);
    assert.equal(await history(page).count(), 2);
  }));

test('Push Fight is shown as a draw without its table', () =>
  here.visit('#/pushfight', async (page) => {
    await page
      .locator('.known')
      .getByText(/is a draw/)
      .waitFor();
    await page.getByTestId('verdict').getByText('Draw with perfect play').waitFor();
  }));
