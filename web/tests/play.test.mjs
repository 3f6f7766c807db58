// Whole games on the board: by mouse, by dragging, by keyboard, and turns of several steps.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, history, made, open, settled, site, square, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

test('TouchDown by mouse, to the end', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    for (let turn = 0; ; turn++) {
      await settled(page);
      if (/has won/.test(await verdict(page))) break;
      assert.ok(turn < 12, 'the best line has 11 turns');
      // The best turn is first in the list.
      const text = await page.locator('.turns button.turn').first().textContent();
      const [from, to] = text.match(/[a-z]\d/g);
      await square(page, from).click();
      assert.equal(await square(page, from).getAttribute('aria-selected'), 'true');
      await square(page, to).click();
      await made(page, turn + 1);
    }
    assert.equal(await verdict(page), 'Red has won');
    assert.equal(await history(page).count(), 12);
    assert.match(
      await page.getByTestId('accuracy').textContent(),
      /Red.*?(\d+) of \1\s+turns? kept the result; \1\s+w/s,
    );
    assert.deepEqual(await open(page), []);
  }));

test('a piece can be dragged, or picked up by mistake', () =>
  here.visit('#/touchdown:3x3', async (page) => {
    await settled(page);
    await square(page, 'b1').click();
    await square(page, 'c1').click();
    assert.equal(await square(page, 'b1').getAttribute('aria-selected'), 'false');
    await square(page, 'c1').click();
    assert.equal(await square(page, 'c1').getAttribute('aria-selected'), 'false');
    const middle = async (name) => {
      const { x, y, width, height } = await square(page, name).locator('.tile').boundingBox();
      return [x + width / 2, y + height / 2];
    };
    await page.mouse.move(...(await middle('a1')));
    await page.mouse.down();
    await page.mouse.move(...(await middle('b2')), { steps: 4 });
    await page.mouse.move(...(await middle('a2')), { steps: 4 });
    await page.mouse.up();
    await made(page, 1);
    assert.equal(
      await history(page)
        .nth(1)
        .textContent()
        .then((text) => /a1a2/.test(text)),
      true,
    );
  }));

test('Tactics by keyboard alone, to the end', () =>
  here.visit('#/tactics:3x3', async (page) => {
    await settled(page);
    // By keyboard, from the top of the page to the board.
    for (let tabs = 0; tabs < 30; tabs++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.closest('[role=gridcell]') !== null)) break;
    }
    const walk = async (to) => {
      const from = await page.evaluate(() =>
        document.activeElement?.closest('[role=gridcell]')?.getAttribute('data-square'),
      );
      assert.ok(from, 'the board keeps the focus');
      const steps = (at, way, back) => Array(Math.abs(at)).fill(at > 0 ? way : back);
      const keys = [
        ...steps(to.charCodeAt(0) - from.charCodeAt(0), 'ArrowRight', 'ArrowLeft'),
        ...steps(Number(to[1]) - Number(from[1]), 'ArrowUp', 'ArrowDown'),
      ];
      for (const key of keys) await page.keyboard.press(key);
      await page.keyboard.press('Enter');
    };
    let turn = 0;
    for (; ; turn++) {
      await settled(page);
      if (/has won|draw/.test(await verdict(page))) break;
      assert.ok(turn < 10);
      const text = await page.locator('.turns button.turn').first().textContent();
      const [from, to] = text.match(/[a-z]\d/g);
      await walk(from);
      // Choosing a square twice fills only this square.
      const line = to ?? from;
      if (to || (await history(page).count()) === turn + 1) await walk(line);
      await made(page, turn + 1);
    }
    assert.ok(turn > 2);
  }));

test('Push Fight: pieces are placed one by one, and a turn is built move by move', () =>
  here.visit('#/pushfight:mini', async (page) => {
    await settled(page);
    const status = page.getByTestId('status');
    await assert.doesNotReject(status.getByText('Place 2 pushers').waitFor());
    for (const name of ['a2', 'b1', 'b2', 'c1']) {
      assert.ok(
        (await open(page)).some((cell) => cell.name === name),
        name,
      );
      await square(page, name).click();
    }
    await made(page, 1);
    for (const name of ['d2', 'd1', 'd3']) await square(page, name).click();
    // The last one is taken back and put elsewhere.
    await page.keyboard.press('u');
    for (const name of ['d3', 'e3']) await square(page, name).click();
    await made(page, 2);
    assert.equal(await verdict(page), 'Red wins in 1 turn');

    // A winning turn of two moves and a push; each part shows what can still be reached.
    const { turns_available: turns } = await ask(
      here.url,
      `games/pushfight:mini/positions?position=${encodeURIComponent(await position(page))}`,
    );
    const steps = turns[0].turn.split(',').map((step) => step.split('-'));
    assert.equal(steps.length, 3);
    for (const [number, [from, to]] of steps.entries()) {
      await settled(page);
      assert.equal((await open(page)).find((cell) => cell.name === from)?.outcome, 'win', from);
      await square(page, from).click();
      assert.equal((await open(page)).find((cell) => cell.name === to)?.outcome, 'win', to);
      await square(page, to).click();
      if (number < 2)
        await page.waitForFunction(() =>
          /push to end/i.test(document.querySelector('[data-testid=status]')?.textContent ?? ''),
        );
    }
    await made(page, 3);
    assert.equal(await verdict(page), 'Red has won');
  }));

/** The shown position, as the button copies it. */
async function position(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const details = page.locator('details', { hasText: 'Copy position' });
  if (!(await details.evaluate((element) => element.open)))
    await page.getByText('Share', { exact: true }).click();
  await page.getByRole('button', { name: 'Copy position' }).click();
  await page.getByText('Position copied.').waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByText('Share', { exact: true }).click();
  return text;
}

test('a whole game of Push Fight by mouse', () =>
  here.visit('#/pushfight:mini,pushers=1,pawns=1', async (page) => {
    let touches = 0;
    for (; touches < 200; touches++) {
      await settled(page);
      if (/has won/.test(await verdict(page))) break;
      const cells = await open(page);
      const order = { win: 0, draw: 1, unknown: 1, loss: 2 };
      // Wins if possible; otherwise varies the touches, so that the game ends.
      cells.sort((a, b) => order[a.outcome] - order[b.outcome]);
      const good = cells.filter((cell) => cell.outcome === cells[0].outcome);
      await square(page, good[(touches * 7) % good.length].name).click();
    }
    assert.ok(touches > 4, 'something was played');
  }));

test('taking back, jumps, a hint, a preview and a best line', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.locator('.stage .arrow').first().waitFor();
    await page.locator('.turns button.turn').nth(1).hover();
    await page.locator('.stage .arrow').first().waitFor();
    await page.getByRole('button', { name: 'Best line' }).click();
    await made(page, 11);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.keyboard.press('End');
    await page.getByText('Red has won').waitFor();
    await page.keyboard.press('Home');
    await page.getByText('Red wins in 11 turns').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Red wins in 10 turns').waitFor();
    await page.keyboard.press('u');
    await page.getByText('Red wins in 11 turns').waitFor();
    await history(page).nth(5).click();
    await page.getByText('Red wins in 6 turns').waitFor();
  }));
