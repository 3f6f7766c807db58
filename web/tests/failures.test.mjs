// A server that is down, busy or slow: every screen says so, offers to try again, and claims nothing that it does not know.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { history, made, settled, site, square } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const GAME = '#/pushfight:mini,pushers=1,pawns=1';
const EXPECTED = { expected: ['Failed to load resource', 'dynamically imported'] };
const API = '**/api/v1/**';
const again = (page) => page.getByRole('alert').getByRole('button', { name: 'Try again' });
const down = (page, what = API) => page.route(what, (route) => route.abort());

/** Holds back answers until the returned function is called. */
async function held(page, what) {
  let answer = () => {};
  const slow = new Promise((resolve) => (answer = resolve));
  await page.route(what, async (route) => {
    await slow;
    await route.continue();
  });
  return answer;
}

const SCREENS = [
  { screen: 'numbers', link: 'Numbers', shows: (page) => page.locator('.numbers .lead') },
  { screen: 'puzzles', link: 'Puzzles', shows: (page) => page.locator('.puzzles .board') },
  { screen: 'setup', link: 'Set up', shows: (page) => page.getByLabel('Piece to place') },
];

for (const { screen, link, shows } of SCREENS) {
  test(`${link}: without a server there is a message, and trying again works`, () =>
    here.visit(
      GAME,
      async (page) => {
        await settled(page);
        for (const what of ['**/assets/**', API]) {
          await down(page, what);
          await page.getByRole('link', { name: link, exact: true }).click();
          await again(page).waitFor();
          await page.unroute(what);
          await again(page).click();
          await shows(page).first().waitFor();
          assert.equal(await again(page).count(), 0);
          await page.goto(`${here.url}${GAME}`);
          await page.reload();
          await settled(page);
        }
      },
      EXPECTED,
    ));

  test(`${link}: while the server is slow, the screen says that it is loading`, () =>
    here.visit(GAME, async (page) => {
      await settled(page);
      const answer = await held(page, API);
      await page.evaluate((hash) => (location.hash = hash), `${GAME}/${screen}?position=........Ox.Y.o`);
      await page.locator('main [role=status]').getByText('…').first().waitFor();
      answer();
      await shows(page).or(page.getByTestId('notice')).first().waitFor();
    }));
}

test('while the code of a screen is slow, the page says that it is loading', () =>
  here.visit(GAME, async (page) => {
    await settled(page);
    const answer = await held(page, '**/assets/**');
    await page.getByRole('link', { name: 'Numbers', exact: true }).click();
    await page.locator('main [role=status]').getByText('Loading').waitFor();
    answer();
    await page.locator('.numbers .lead').first().waitFor();
  }));

/** Waits until the page says that the server is slow, then until it no longer does. */
async function waits(page, what, act, shows) {
  const waiting = page.getByTestId('waiting');
  const answer = await held(page, what);
  const asked = Date.now();
  await act();
  await waiting.getByText('Waiting for the server …').waitFor();
  assert.ok(Date.now() - asked > 2000, 'only after a while');
  assert.equal(await waiting.getAttribute('role'), 'status');
  answer();
  await shows.first().waitFor();
  await page.waitForFunction(() => !document.body.textContent.includes('Waiting for the server'));
  await page.unroute(what);
}

for (const { hash, shows } of [
  { hash: '', shows: (page) => page.locator('.family') },
  { hash: GAME, shows: (page) => page.getByTestId('verdict') },
  ...SCREENS.map(({ screen, shows }) => ({ hash: `${GAME}/${screen}`, shows })),
])
  test(`${hash || 'home'}: a server that hangs is mentioned after a few seconds, until it answers`, () =>
    here.visit(hash, async (page) => {
      await shows(page).first().waitFor();
      await waits(page, API, () => page.reload(), shows(page));
    }));

test('on each screen, a late answer is mentioned until it comes', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    const go = (link) => () => page.getByRole('link', { name: link, exact: true }).click();
    const play = () => page.locator('.turns button.turn').first().click();
    await waits(page, '**/positions?**', play, page.getByText('Red wins in 10 turns'));
    await waits(page, '**/stats', go('Numbers'), page.locator('.numbers .lead'));
    await waits(page, '**/puzzles?**', go('Puzzles'), page.locator('.puzzles .board'));
    await waits(page, '**/SetUp*.js', go('Set up'), page.getByLabel('Piece to place'));
    await waits(
      page,
      '**/view?**',
      () => page.getByRole('button', { name: 'Analyse' }).click(),
      page.getByTestId('verdict'),
    );
  }));

test('the home screen offers to try again', () =>
  here.visit(
    GAME,
    async (page) => {
      await settled(page);
      await down(page);
      await page.getByRole('link', { name: 'Retrograde' }).click();
      await again(page).waitFor();
      // The error stays while the server is down.
      await again(page).click();
      await again(page).waitFor();
      await page.unroute(API);
      await again(page).press('Enter');
      await page.locator('.family').first().waitFor();
      // The focus is on what has appeared, not at the end of the page.
      assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), 'New game');
    },
    EXPECTED,
  ));

test('play: a position that could not be loaded has no claims, and its turn is not counted', () =>
  here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await settled(page);
      await down(page);
      await square(page, 'a1').click();
      await square(page, 'a2').click();
      await again(page).waitFor();
      assert.equal(
        await page.getByTestId('status').textContent(),
        'Red played a1a2. This position could not be loaded: the board still shows another one.',
      );
      assert.equal(await page.getByTestId('accuracy').count(), 0);
      const opacity = (wanted) =>
        page.waitForFunction(
          (wanted) => getComputedStyle(document.querySelector('.play .stage')).opacity === wanted,
          wanted,
        );
      await opacity('0.4');
      await page.unroute(API);
      await again(page).click();
      await made(page, 1);
      await opacity('1');
      await page.getByTestId('status').getByText('Blue to move.').waitFor();
      await page.getByTestId('accuracy').getByText('1 of 1').waitFor();
      assert.equal(await again(page).count(), 0);
    },
    EXPECTED,
  ));

test('play: trying again repeats the step that could not be made', () =>
  here.visit(
    `${GAME}?position=........Ox.Y.o`,
    async (page) => {
      await settled(page);
      await down(page);
      await square(page, 'e1').click();
      await square(page, 'd1').click();
      await again(page).waitFor();
      await page.unroute(API);
      await again(page).click();
      await page.locator('.turnbar .made').waitFor();
      await settled(page);
      assert.match(await square(page, 'd1').getAttribute('aria-label'), /Red pawn/);
      assert.equal(await again(page).count(), 0);
    },
    EXPECTED,
  ));

test('play: the error of a step that was taken back, or of a position that was left, is not shown', () =>
  here.visit(
    `${GAME}?position=........Ox.Y.o`,
    async (page) => {
      await settled(page);
      /** Holds back requests until the returned function is called, and then fails them. */
      const failing = async (what) => {
        let fail = () => {};
        const late = new Promise((resolve) => (fail = resolve));
        await page.route(what, (route) => late.then(() => route.abort()));
        return async () => {
          const failed = page.waitForEvent('requestfailed');
          fail();
          await failed;
          await page.waitForTimeout(300);
          assert.equal(await page.getByRole('alert').count(), 0);
          await page.unroute(what);
        };
      };
      const failStep = await failing('**/steps?**');
      await square(page, 'e1').click();
      await square(page, 'd1').click();
      await page.locator('.stage.loading').waitFor();
      await page.keyboard.press('u');
      await square(page, 'e1').click();
      await page.getByTestId('status').getByText('Choose a destination').waitFor();
      await failStep();
      const failTurn = await failing('**/positions?**');
      await page.locator('.turns button.turn').first().click();
      await page.waitForFunction(() => location.hash.includes('turns='));
      await page.keyboard.press('Home');
      await page.getByTestId('status').getByText('Red to move.').waitFor();
      await failTurn();
    },
    EXPECTED,
  ));

test('play: the opponent moves once the server is back', () =>
  here.visit(
    '#/touchdown:4x4?opponent=iris',
    async (page) => {
      await settled(page);
      await page.route('**/positions', (route) => route.abort());
      await square(page, 'a1').click();
      await square(page, 'a2').click();
      // Iris may have only one best turn, found without a request.
      await Promise.race([again(page).waitFor(), made(page, 2)]);
      await page.unroute('**/positions');
      if ((await again(page).count()) > 0) await again(page).click();
      await made(page, 2);
    },
    EXPECTED,
  ));

test('puzzles: while the next puzzle is late, the old one cannot be answered', () =>
  here.visit(
    '#/touchdown:4x4/puzzles?kind=win&depth=3',
    async (page) => {
      await settled(page);
      const board = page.locator('.puzzles .board');
      await square(page, 'a4').waitFor();
      const answer = await held(page, API);
      await page.getByRole('button', { name: 'Next puzzle' }).click();
      // At once, also by keyboard.
      assert.ok(await page.locator('.puzzles .shown').evaluate((shown) => shown.inert));
      await page.getByText('Looking for a puzzle …').waitFor();
      assert.equal(await board.isVisible(), false);
      assert.equal(await page.getByRole('button', { name: 'Show solution' }).count(), 0);
      answer();
      await board.waitFor();
      assert.equal(await page.locator('.puzzles .shown').evaluate((shown) => shown.inert), false);
      await page.unroute(API);
      await down(page);
      await page.getByRole('button', { name: 'Next puzzle' }).click();
      await again(page).waitFor();
      assert.equal(await board.isVisible(), false);
      await page.unroute(API);
      await again(page).click();
      await board.waitFor();
      await page.getByRole('button', { name: 'Show solution' }).waitFor();
    },
    EXPECTED,
  ));

test('puzzles: the old puzzle is not shown as another one that was chosen', () =>
  here.visit(
    '#/touchdown:4x4/puzzles?kind=win&depth=3&count=5&seed=1',
    async (page) => {
      await settled(page);
      const board = page.locator('.puzzles .board');
      for (const choose of [
        () => page.getByRole('button', { name: 'Puzzle 3' }).click(),
        () => page.getByLabel('Hold out longest').check({ force: true }),
      ]) {
        const answer = await held(page, API);
        await choose();
        await page.getByText('Looking for a puzzle …').waitFor();
        assert.equal(await board.isVisible(), false);
        assert.equal(await page.getByRole('button', { name: 'Show solution' }).count(), 0);
        answer();
        await board.waitFor();
        await page.unroute(API);
        await down(page);
        await page.getByRole('button', { name: 'Next puzzle' }).click();
        await again(page).waitFor();
        await page.unroute(API);
        await again(page).click();
        await again(page).waitFor({ state: 'detached' });
        await board.waitFor();
      }
      await page.getByTestId('task').getByText('holds out longest').waitFor();
    },
    EXPECTED,
  ));

test('a late answer is also mentioned in a dialog', () =>
  here.visit('', async (page) => {
    await page.getByRole('button', { name: 'New game' }).click();
    const dialog = page.getByRole('dialog', { name: 'New game' });
    await dialog.getByRole('radio', { name: 'A random position' }).check();
    const answer = await held(page, '**/find?**');
    await dialog.getByRole('button', { name: 'Start' }).click();
    const line = dialog.getByText('Waiting for the server …');
    await line.waitFor();
    const seen = await line.evaluate((line) => {
      const { x, y, width, height } = line.getBoundingClientRect();
      line.style.pointerEvents = 'auto';
      return document.elementFromPoint(x + width / 2, y + height / 2) === line;
    });
    assert.ok(seen, 'it is in front');
    answer();
    await page.getByText('You (').waitFor();
  }));

test('a puzzle whose solution cannot be loaded is not counted as missed', () =>
  here.visit(
    `${GAME}/numbers`,
    async (page) => {
      await page.locator('.numbers .lead').waitFor();
      await down(page, '**/positions?**');
      await page.getByRole('link', { name: 'Puzzles' }).click();
      await again(page).waitFor();
      await page.getByRole('button', { name: 'Show solution' }).click();
      await page.waitForTimeout(300);
      assert.equal(await page.getByTestId('answer').getByText('solution is').count(), 0);
      assert.equal(await page.getByRole('link', { name: 'Explore' }).count(), 0);
      assert.deepEqual(
        await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('puzzles'))),
        [],
      );
      await page.unroute('**/positions?**');
      await again(page).click();
      await page.waitForFunction(() => document.querySelectorAll('.puzzles .cell.open').length > 0);
      await page.getByRole('button', { name: 'Show solution' }).click();
      await page
        .getByTestId('answer')
        .getByText(/solution is\s+\S.*\./)
        .waitFor();
    },
    EXPECTED,
  ));

test('a late answer leads nobody away from a screen, and replaces nothing that was changed since', () =>
  here.visit(
    '',
    async (page) => {
      const hash = () => page.evaluate(() => location.hash);
      const go = (to) => page.evaluate((to) => (location.hash = to), to);
      /** Answers late, after something else. */
      const late = async (what, act, meanwhile) => {
        const answer = await held(page, what);
        const asked = page.waitForRequest(what);
        await act();
        const request = await asked;
        await meanwhile();
        const before = await hash();
        answer();
        await request.response();
        await page.waitForTimeout(300);
        assert.equal(await hash(), before);
        await page.unroute(what);
      };
      await page.getByRole('button', { name: 'New game' }).click();
      const dialog = page.getByRole('dialog', { name: 'New game' });
      await dialog.getByRole('radio', { name: 'A random position' }).check();
      await late(
        '**/find?**',
        () => dialog.getByRole('button', { name: 'Start' }).click(),
        () => page.keyboard.press('Escape'),
      );
      await page.getByLabel('Open another variant by name').fill('touchdown:3x4');
      await late(
        '**/games/touchdown*3x4',
        () => page.getByRole('button', { name: 'Open', exact: true }).click(),
        async () => {
          await go('#/touchdown:4x4/setup');
          await square(page, 'a1').waitFor();
        },
      );
      await late(
        '**/view?**',
        async () => {
          await page.getByRole('button', { name: 'Clear board' }).click();
          await page.getByLabel('Blue pawn', { exact: true }).check({ force: true });
          await square(page, 'b3').click();
          await page.getByRole('button', { name: 'Analyse' }).click();
        },
        () => square(page, 'c3').click(),
      );
      assert.equal(await page.getByRole('textbox').first().inputValue(), '..../.OO./..../....');
      await late(
        '**/view?**',
        () => page.getByRole('button', { name: 'Analyse' }).click(),
        () => page.getByRole('link', { name: 'Numbers' }).click(),
      );
      await page.locator('.numbers .lead').waitFor();
      await late(
        '**/games/nosuch*',
        () => go('#/nosuch:1x1'),
        async () => {
          await go('#/touchdown:4x4');
          await settled(page);
        },
      );
      await page.getByRole('link', { name: 'Numbers' }).waitFor();
    },
    { expected: ['404', '400'] },
  ));

test('a turn that is played while a game is loaded comes back with the old game', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    const answer = await held(page, '**/annotate');
    await page.getByText('Save or load', { exact: true }).click();
    await page.getByLabel(/Paste a game/).fill('b1b2\nd4d3\n');
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await square(page, 'a1').click();
    await square(page, 'a2').click();
    await page.waitForFunction(() => location.hash.endsWith('turns=a1a2'));
    answer();
    await made(page, 2);
    await page.getByRole('button', { name: 'Undo load' }).click();
    await made(page, 1);
    assert.match(await history(page).nth(1).textContent(), /a1a2/);
  }));

for (const status of [429, 503]) {
  test(`a request that is answered with ${status} is repeated after the time in Retry-After`, () =>
    here.visit(
      `${GAME}/setup`,
      async (page) => {
        await page.getByLabel('Piece to place').waitFor();
        const times = [];
        await page.route('**/stats', async (route) => {
          times.push(Date.now());
          if (times.length > 2) await route.continue();
          else
            await route.fulfill({
              status,
              headers: { 'retry-after': '2' },
              json: { type: 'urn:retrograde:problem:rate', detail: 'too many requests' },
            });
        });
        await page.getByRole('link', { name: 'Numbers' }).click();
        await page.locator('.numbers .lead').waitFor();
        assert.equal(times.length, 3);
        assert.ok(times[1] - times[0] >= 1900 && times[2] - times[1] >= 1900, String(times));
      },
      EXPECTED,
    ));
}

test('a server that wants a long wait is not asked again, and the message says how long', () =>
  here.visit(
    `${GAME}/setup`,
    async (page) => {
      await page.getByLabel('Piece to place').waitFor();
      await page.route('**/stats', (route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '90' }, json: {} }),
      );
      await page.getByRole('link', { name: 'Numbers' }).click();
      await page.getByRole('alert').getByText('The server is busy. Try again in 90 seconds.').waitFor();
      await page.unroute('**/stats');
      await again(page).click();
      await page.locator('.numbers .lead').waitFor();
    },
    EXPECTED,
  ));

test('the game is kept while the server is down', () =>
  here.visit(
    '#/touchdown:4x4?turns=a1a2;d4d3',
    async (page) => {
      await made(page, 2);
      await down(page, '**/annotate');
      await page.reload();
      await again(page).waitFor();
      await page.unroute('**/annotate');
      await again(page).click();
      await made(page, 2);
      assert.equal(await history(page).count(), 3);
      assert.equal(await page.evaluate(() => location.hash), '#/touchdown:4x4?turns=a1a2;d4d3');
    },
    EXPECTED,
  ));
