// A button that disappears does not take the focus with it, and what it shows is on the screen, also on a phone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, made, settled, site, square } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const GAME = 'touchdown:4x4';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** What has the focus: the name of an element, "the board", or "nothing". */
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: element, body } = document;
    if (element === body) return 'nothing';
    if (element.matches('.stage')) return 'the board';
    return element.ariaLabel ?? element.textContent.trim();
  });

/** Presses a button by keyboard, and waits until something has the focus. */
async function press(button) {
  await button.focus();
  await button.press('Enter');
}

/** Waits until something has the focus. */
const gets = (page, wanted) =>
  page.waitForFunction(
    (wanted) => {
      const { activeElement: element } = document;
      const name = element.matches('.stage')
        ? 'the board'
        : (element.ariaLabel ?? element.textContent.trim());
      return element !== document.body && name === wanted;
    },
    wanted,
    { timeout: 10_000 },
  );

/** Whether the whole board is on the screen. */
const onScreen = (page) =>
  page
    .locator('.stage .board')
    .evaluate(
      (board) =>
        board.getBoundingClientRect().top >= 0 && board.getBoundingClientRect().bottom <= innerHeight,
    );

/** A puzzle with a wrong turn. */
async function aPuzzle() {
  const { puzzles } = await ask(
    here.url,
    `games/${GAME}/puzzles?kind=win&turns=7&random=true&seed=3&limit=1`,
  );
  const [{ position }] = puzzles;
  const { turns_available: turns } = await ask(here.url, `games/${GAME}/positions?position=${position}`);
  return { address: `#/${GAME}/puzzles?position=${position}&kind=win`, wrong: turns.at(-1).turn };
}

test('the focus goes from a wrong answer to the board, and from the solution to the next puzzle', async () => {
  const { address, wrong } = await aPuzzle();
  await here.visit(address, async (page) => {
    await settled(page);
    for (const name of wrong.match(/[a-z]\d/g)) await square(page, name).click();
    await press(page.getByRole('button', { name: 'Try again' }));
    await gets(page, 'the board');
    // The squares are next.
    await settled(page);
    await page.keyboard.press('Tab');
    assert.match(await focused(page), /^[a-d][1-4], /);
    await press(page.getByRole('button', { name: 'Show solution' }));
    await page.getByTestId('answer').getByText('The solution is').waitFor();
    await gets(page, 'Next puzzle');
    // The next puzzle has another board, which gets the focus of the old one.
    await page.locator('.stage [tabindex="0"]').focus();
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Show solution' }).waitFor();
    assert.match(await focused(page), /^[a-d][1-4], /);
  });
});

for (const [what, how] of [
  ['on a phone', PHONE],
  ['on a desktop', {}],
])
  test(`${what}, a better turn and a refutation are shown on the board`, () =>
    here.visit(
      `#/${GAME}?turns=b1b2;a4a3`,
      async (page) => {
        await made(page, 2);
        await page.keyboard.press('ArrowLeft');
        await settled(page);
        for (const name of ['Refute', 'Show']) {
          await page.locator('.history button').nth(1).click();
          const button = page.getByTestId('comments').getByRole('button', { name, exact: true });
          await button.waitFor();
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
          await press(button);
          await page.locator('.history .demo.here').waitFor();
          await gets(page, 'the board');
          assert.ok(await onScreen(page), name);
        }
        // The keys of the game go on from there.
        await page.keyboard.press('ArrowRight');
        await page.locator('.history .demo:not(.here)').first().waitFor();
        assert.equal(await focused(page), 'the board');
      },
      how,
    ));

test('the button of a best line stops it, and keeps the focus', () =>
  here.visit(`#/${GAME}`, async (page) => {
    await settled(page);
    await press(page.getByRole('button', { name: 'Best line' }));
    await gets(page, 'Stop');
    await page.keyboard.press('Enter');
    await gets(page, 'Best line');
  }));

test('on a low screen, the value of a turn that is shown is on the screen', () =>
  here.visit(
    `#/${GAME}?turns=b1b2;a4a3`,
    async (page) => {
      await made(page, 2);
      await page.locator('.history button').nth(1).click();
      const button = page.getByTestId('comments').getByRole('button', { name: 'Show', exact: true });
      await button.waitFor();
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await press(button);
      await page.locator('.history .demo.here').waitFor();
      await settled(page);
      const { y } = await page.getByTestId('verdict').boundingBox();
      assert.ok(y >= 0, `${y}`);
      assert.ok(await onScreen(page));
    },
    { viewport: { width: 1280, height: 800 } },
  ));

test('a report stays open, and its turns are shown on the board', async () => {
  // The worst turns of both sides, until the game is over.
  const turns = [];
  for (let query = ''; ;) {
    const { turns_available: all } = await ask(here.url, `games/touchdown:3x3/positions${query}`);
    if (all.length === 0) break;
    const { turn_on_board: turn, position, turn: own } = all.at(-1);
    turns.push(turn ?? own);
    query = `?position=${position}&to_move=${turns.length % 2 ? 'second' : 'first'}`;
  }
  await here.visit(
    `#/touchdown:3x3?turns=${turns.join(';')}`,
    async (page) => {
      await made(page, turns.length);
      const cards = page.locator('.mistake');
      const show = cards.getByRole('button', { name: /^Show / }).first();
      await show.waitFor();
      const count = await cards.count();
      await press(show);
      await page.locator('.history .demo.here').waitFor();
      await gets(page, 'the board');
      assert.ok(await onScreen(page));
      assert.ok(await show.isVisible());
      assert.equal(await cards.count(), count);
      await press(cards.getByRole('button', { name: 'Replay from here' }).last());
      await gets(page, 'the board');
      assert.ok(await onScreen(page));
    },
    PHONE,
  );
});

test('the only mistake of a game is reviewed without losing the focus', () =>
  here.visit(`#/${GAME}?turns=b1b2;b4b3&opponent=iris&end=resigned`, async (page) => {
    await made(page, 2);
    await press(page.getByRole('button', { name: 'Review mistakes' }));
    await page.getByTestId('comments').getByText('threw the win away').waitFor();
    await settled(page);
    assert.match(await focused(page), /mistake/);
  }));

test('a button that does not work in the new position passes the focus on to its neighbour', () =>
  here.visit(`#/${GAME}?turns=a1a2;d4d3`, async (page) => {
    await made(page, 2);
    await press(page.getByRole('button', { name: 'First', exact: true }));
    await gets(page, 'Forward');
    await press(page.getByRole('button', { name: 'Last', exact: true }));
    await gets(page, 'First');
    await press(page.getByRole('button', { name: 'Delete from here' }));
    await made(page, 1);
    assert.notEqual(await focused(page), 'nothing');
  }));

test('a link leads to the next screen, and a click on nothing gives the focus to nothing', () =>
  here.visit('', async (page) => {
    const card = page.locator('.family', { hasText: 'TouchDown' });
    await press(card.getByRole('link', { name: 'Explore' }));
    await settled(page);
    assert.notEqual(await focused(page), 'nothing');
    await page.getByRole('button', { name: 'Hint' }).focus();
    await page.locator('.status').click();
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'MAIN');
  }));

test('on a phone, a number shows its positions, which are further up', () =>
  here.visit(
    `#/${GAME}/numbers`,
    async (page) => {
      await page.locator('.samples a').first().waitFor();
      let answer;
      const slow = new Promise((resolve) => (answer = resolve));
      await page.route('**/find?**', async (route) => {
        await slow;
        await route.continue();
      });
      await page.getByRole('button', { name: '8 lost in 12 turns' }).tap();
      const heading = page.locator('#samples');
      const onScreen = () =>
        heading.evaluate((heading) => {
          const { top, bottom } = heading.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight / 2;
        });
      assert.ok(await onScreen(), 'at once');
      await page.locator('section[aria-busy=true]').waitFor();
      answer();
      await heading.getByText('lost in 12 turns').waitFor();
      assert.ok(await onScreen());
    },
    PHONE,
  ));
