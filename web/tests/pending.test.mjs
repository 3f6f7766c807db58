// While requests are pending, the page and screen readers never combine values, lists or the side to move with another position.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { made, settled, site, square, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

/** Records all texts for screen readers once there is a Red piece on a square. */
const listen = (page, square) =>
  page.evaluate((square) => {
    globalThis.announced = [];
    const spoken = (node) => {
      if (node.nodeType === 3) return node.data;
      if (node.getAttribute?.('aria-hidden')) return '';
      return [...node.childNodes].map(spoken).join('');
    };
    const note = () => {
      const label = document.querySelector(`[data-square=${square}]`)?.getAttribute('aria-label');
      if (!/Red pawn/.test(label ?? '')) return;
      for (const status of document.querySelectorAll('[role=status]')) announced.push(spoken(status).trim());
    };
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  }, square);

test('the value of a position is never shown for another one', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    assert.equal(await verdict(page), 'Red wins in 11 turns');
    await page.route('**/positions?**', async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue();
    });
    await listen(page, 'a2');
    await square(page, 'a1').click();
    await square(page, 'a2').click();
    await page.waitForFunction(() =>
      /Red pawn/.test(document.querySelector('[data-square=a2]').getAttribute('aria-label')),
    );
    assert.match(await page.getByTestId('verdict').textContent(), /^\s*…\s*$/);
    assert.equal(await page.locator('.turns button.turn').count(), 0);
    assert.match(await page.getByTestId('status').textContent(), /Blue to move/);
    await page.getByText('Red wins in 10 turns').first().waitFor();
    await made(page, 1);
    const announced = await page.evaluate(() => globalThis.announced);
    assert.deepEqual(
      announced.filter((text) => /wins in/.test(text) && !/^Red wins in 10 turns/.test(text)),
      [],
    );
    assert.ok(
      announced.some((text) => /Red played a1a2\. Blue to move\./.test(text)),
      'the turn is said',
    );
  }));

test('touches while the next steps load wait for them, and nothing is said about another position', () =>
  here.visit('#/pushfight:mini,pushers=1,pawns=1?position=........Ox.Y.o', async (page) => {
    await settled(page);
    let [answer, asked] = [() => {}, 0];
    const slow = new Promise((resolve) => (answer = resolve));
    await page.route('**/steps?**', async (route) => {
      await slow;
      await route.continue();
    });
    await page.route('**/refusal?**', async (route) => {
      asked++;
      await route.continue();
    });
    await square(page, 'e1').click();
    await square(page, 'd1').click();
    // The pawn is on d1 by then, but the board does not show it yet.
    await square(page, 'd1').click();
    await page.waitForTimeout(300);
    answer();
    await page.waitForFunction(() => document.querySelector('[data-square=d1]').ariaSelected === 'true');
    await settled(page);
    assert.equal(asked, 0);
    assert.match(await square(page, 'd1').getAttribute('aria-label'), /Red pawn, chosen/);
    // A touch that means nothing then is ignored.
    assert.doesNotMatch(await page.getByTestId('status').textContent(), /no piece/);
  }));

const MINI = '#/pushfight:mini?turns=O:a2,b2 o:b3,c3;X:d2,d1 x:d3,e2';

/** Delays the answers about steps. */
const slowSteps = (page) =>
  page.route('**/steps?**', async (route) => {
    await new Promise((done) => setTimeout(done, 800));
    await route.continue();
  });

test('a step that loads is taken back, after the touches that wait for it', () =>
  here.visit(MINI, async (page) => {
    await made(page, 2);
    await slowSteps(page);
    for (const name of ['c3', 'c1', 'a2']) await square(page, name).click();
    await page.keyboard.press('Tab');
    await square(page, 'c1').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await settled(page);
    await page.waitForFunction(() => !document.querySelector('[aria-selected=true]'));
    await page.waitForTimeout(1000);
    assert.match(await square(page, 'c3').getAttribute('aria-label'), /Red pawn/);
    assert.equal(await page.locator('.turnbar .made').count(), 0);
    assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /d3,e2$/);
    // The turn can begin again.
    await square(page, 'c3').click();
    await square(page, 'c1').click();
    await page.locator('.turnbar .made').waitFor();
  }));

test('a button takes back the first step of a game that loads', () =>
  here.visit('#/pushfight:mini,pushers=1,pawns=1?position=........Ox.Y.o', async (page) => {
    await settled(page);
    await slowSteps(page);
    const back = page.getByRole('button', { name: 'Take back' });
    assert.ok(await back.isDisabled());
    await square(page, 'e1').click();
    await square(page, 'd1').click();
    await back.click();
    await settled(page);
    assert.match(await square(page, 'e1').getAttribute('aria-label'), /Red pawn/);
    assert.ok(await back.isDisabled());
  }));

test('the touches of a whole turn wait until the steps before them have loaded', () =>
  here.visit(MINI, async (page) => {
    await made(page, 2);
    await slowSteps(page);
    for (const name of ['c3', 'c1', 'b3', 'c3', 'a2', 'b2']) await square(page, name).click();
    await made(page, 3);
    for (const [name, piece] of Object.entries({ c1: 'pawn', c3: 'pawn', b2: 'pusher', c2: 'pusher' }))
      assert.match(await square(page, name).getAttribute('aria-label'), new RegExp(`Red ${piece}`));
  }));

test('after a jump nothing is shown of the previous position', () =>
  here.visit('#/touchdown:4x4?turns=a1a2;d4d3;b1b2', async (page) => {
    await made(page, 3);
    await page.route('**/positions?**', async (route) => {
      await new Promise((done) => setTimeout(done, 800));
      await route.continue();
    });
    await page.keyboard.press('Home');
    await page.waitForFunction(
      () => !/wins/.test(document.querySelector('[data-testid=verdict]').textContent),
    );
    await page.getByText('Red wins in 11 turns').first().waitFor();
  }));
