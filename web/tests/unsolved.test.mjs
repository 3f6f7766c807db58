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

test('all placements of Push Fight have their published values without its table', () =>
  here.visit('#/pushfight', async (page) => {
    const known = page.locator('.known');
    await known.getByText('Published result: Push Fight is a draw').waitFor();
    await known.getByText('The values of all first placements are published too.').waitFor();
    await page.getByTestId('verdict').getByText('Draw with perfect play').waitFor();
    const pressure = page.getByTestId('pressure');
    await pressure.getByText('12,246 of Red’s 12,870 turns hold the draw.').waitFor();
    await page.getByRole('region', { name: /^loses in 82: / }).waitFor();
    assert.doesNotMatch(await pressure.textContent(), /Toughest/, 'values after replies are not published');
  }));

test('a turn that loses is not called best while others are unknown', () =>
  here.visit('#/touchdown:5x5?position=O.O../.O.OO/X..../...../.XXXX', async (page) => {
    await page
      .getByTestId('doubt')
      // How many are known depends on the time of the search.
      .getByText(/^\d turns? loses?; \d others? may be better/)
      .waitFor();
    assert.equal(await page.locator('.best').count(), 0);
    const groups = await page.locator('.turns h3').allTextContents();
    assert.match(groups[0], /unknown/);
  }));

test('long lists of turns come in parts', () =>
  here.visit('#/pushfight', async (page) => {
    const draws = page.locator('.turns section').first();
    // Placements are in words.
    await draws.getByRole('button', { name: 'pushers a2 b1 c1, pawns a3 c2' }).waitFor();
    await draws.getByRole('button', { name: '200 of 12,222 more' }).click();
    await draws.getByRole('button', { name: '200 of 12,022 more' }).waitFor();
    assert.equal(await draws.locator('button.turn').count(), 224);
  }));

test('an opponent without a table does not claim to play perfectly', () =>
  here.visit('#/touchdown:6x6', async (page) => {
    const guesses = 'so Iris searches only briefly and often guesses';
    await page.getByRole('button', { name: 'New game', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New game' });
    await dialog.getByRole('radio', { name: 'Iris' }).check({ force: true });
    await dialog.getByText(guesses).waitFor();
    assert.doesNotMatch(await dialog.textContent(), /perfect|no mistakes/);
    await dialog.getByRole('button', { name: 'Start' }).click();
    const panel = page.locator('section.opponent');
    await panel.getByText(guesses).waitFor();
    assert.doesNotMatch(await panel.textContent(), /perfect|no mistakes/);
  }));
