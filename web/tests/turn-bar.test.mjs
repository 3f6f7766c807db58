// Turns of several steps: the bar, the list, previews of unfinished turns, and explanations.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { site, settled, square } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const GAME = '#/pushfight:mini?turns=O:a2,b1 o:b3,c1;X:d2,e1 x:d3,e2';
const bar = (page) =>
  page.locator('.turnbar li').evaluateAll((parts) => parts.map((part) => part.className.split(' ')[0]));
const shown = (page) =>
  page.locator('.turns button.turn').evaluateAll((turns) => turns.map((turn) => turn.textContent));

async function move(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
  await settled(page);
}

test('the bar fills up, and the list has only turns that begin with the steps so far', () =>
  here.visit(GAME, async (page) => {
    await settled(page);
    await page.locator('.turnbar li').first().waitFor();
    assert.deepEqual(await bar(page), ['next', '', '']);
    await move(page, 'c1', 'c2');
    await page.waitForFunction(() => document.querySelectorAll('.turnbar .made').length === 1);
    await page.waitForFunction(() => document.querySelectorAll('.turns button.turn').length > 0);
    const turns = await shown(page);
    assert.ok(
      turns.every((turn) => turn.startsWith('c1-c2,')),
      turns.join(' '),
    );

    // A preview marks only the remaining steps.
    const two = turns.findIndex((turn) => turn.split(',').length === 3);
    await page.locator('.turns button.turn').nth(two).hover();
    await page.waitForFunction(() => document.querySelectorAll('.stage .arrow').length === 2);
    await page.mouse.move(5, 5);

    await move(page, 'a2', 'a2');
    await page.keyboard.press('u');
    await page.waitForFunction(() => document.querySelectorAll('.turnbar .made').length === 0);
    await settled(page);
    assert.ok((await shown(page)).some((turn) => !turn.startsWith('c1-c2,')));
  }));

test('there is no bar while pieces are placed', () =>
  here.visit(GAME, async (page) => {
    await settled(page);
    await page.locator('.turnbar').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByTestId('status').getByText('Place 2 pushers').waitFor();
    assert.equal(await page.locator('.turnbar').count(), 0);
  }));

test('a touch that is not a legal step is explained', () =>
  here.visit(GAME, async (page) => {
    await settled(page);
    const status = page.getByTestId('status');
    // A pawn cannot push.
    await move(page, 'c1', 'c2');
    await square(page, 'c2').click();
    await square(page, 'd2').click();
    await status.getByText(/pawn/i).waitFor();
    await square(page, 'f2').click();
    await page.waitForFunction(
      () => !/pawn/i.test(document.querySelector('[data-testid=status]')?.textContent ?? ''),
    );
  }));
