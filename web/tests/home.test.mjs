// The home screen: families of games, the puzzle of the day, and games by any name.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settled, site, win } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const card = (page, name) =>
  page.locator('article', { has: page.getByRole('heading', { name, exact: true }) });

test('each family has one card with a summary, the winner and links', () =>
  here.visit('', async (page) => {
    await page.waitForFunction(() => document.querySelectorAll('article .board').length === 3);
    const touchdown = card(page, 'TouchDown');
    await touchdown.getByTestId('outcome').getByText('Red wins in 11 turns').waitFor();
    await touchdown.getByLabel('Board').selectOption('touchdown:3x3');
    await touchdown.getByTestId('outcome').getByText('Blue wins in 6 turns').waitFor();
    await page.reload();
    await touchdown.getByTestId('outcome').getByText('Blue wins in 6 turns').waitFor();
    await touchdown.getByRole('link', { name: 'Explore' }).click();
    await settled(page);
    assert.equal(await page.evaluate(() => location.hash), '#/touchdown:3x3');
    assert.match(await page.title(), /TouchDown 3 × 3/);
    await page.goBack();
    await touchdown.getByRole('link', { name: 'Puzzles' }).click();
    await page.getByTestId('task').waitFor();
    await page.goBack();
    await touchdown.getByRole('link', { name: 'Play', exact: true }).click();
    await settled(page);
    assert.match(await page.evaluate(() => location.hash), /opponent=mila/);
  }));

test('the card of Push Fight shows the published result of the standard board first', () =>
  here.visit('', async (page) => {
    const pushfight = card(page, 'Push Fight');
    assert.equal(await pushfight.getByLabel('Board').inputValue(), 'pushfight:standard');
    const outcome = pushfight.getByTestId('outcome');
    await outcome.getByText('Draw with perfect play').waitFor();
    await outcome.getByText(/^Published result: .*12,246 of Red's 12,870 placements/).waitFor();
    assert.equal(await pushfight.getByRole('link', { name: 'Puzzles' }).count(), 0);
    await pushfight.getByLabel('Board').selectOption('pushfight:mini');
    await outcome.getByText('Red wins in 5 turns').waitFor();
    assert.equal(await outcome.getByText('Published').count(), 0);
  }));

test('a day whose puzzle cannot be loaded can be tried again, also at first', () =>
  here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await settled(page);
      const daily = page.locator('.daily');
      const again = page.locator('.top').getByRole('alert').getByRole('button', { name: 'Try again' });
      const tried = async () => {
        await again.waitFor();
        await page.unroute('**/puzzles**');
        await again.click();
        await again.waitFor({ state: 'detached' });
      };
      const down = () => page.route('**/puzzles**', (route) => route.abort());
      await down();
      await page.getByRole('link', { name: 'Retrograde' }).click();
      await tried();
      const day = await daily.locator('.faint').textContent();
      await down();
      await daily.getByRole('button', { name: 'Previous day' }).click();
      await tried();
      await daily.getByRole('button', { name: 'Today' }).waitFor();
      assert.notEqual(await daily.locator('.faint').textContent(), day);
    },
    { expected: ['Failed to load resource'] },
  ));

test('a board whose picture is late or cannot be loaded has no picture, not that of another board', () =>
  here.visit(
    '',
    async (page) => {
      const pushfight = card(page, 'Push Fight');
      await pushfight.locator('.board').waitFor();
      await page.route('**/view**', (route) => route.abort());
      await pushfight.getByLabel('Board').selectOption('pushfight:mini');
      await pushfight.getByTestId('outcome').getByText('Red wins in 5 turns').waitFor();
      assert.equal(await pushfight.locator('.board').count(), 0);
      const again = pushfight.getByRole('alert').getByRole('button', { name: 'Try again' });
      await again.waitFor();
      await page.unroute('**/view**');
      await again.click();
      await pushfight.locator('.board').waitFor();
      assert.equal(await pushfight.getByRole('alert').count(), 0);
    },
    { expected: ['Failed to load resource'] },
  ));

test('games without a known winner are folded, with the cost of solving', () =>
  here.visit('', async (page) => {
    const pushfight = card(page, 'Push Fight');
    const full = pushfight.locator('li', { hasText: 'full' });
    await pushfight.getByText(/more, not solved here/).waitFor();
    assert.equal(await full.isVisible(), false);
    await pushfight.getByText(/more, not solved here/).click();
    await full.getByText(/of memory|too large to solve/).waitFor();
  }));

test('the puzzle of the day is the same for everyone, changes daily, and is remembered when solved', async () => {
  const puzzleOn = async (day, look) => {
    let found;
    await here.visit('', async (page) => {
      await page.clock.setFixedTime(new Date(Date.UTC(2026, 10, day, 12)));
      await page.goto('about:blank');
      await page.goto(here.url);
      const daily = page.locator('section', {
        has: page.getByRole('heading', { name: 'Puzzle of the day' }),
      });
      found = await daily.getByRole('link').getAttribute('href');
      await look?.(page, daily);
    });
    return found;
  };
  const address = await puzzleOn(24);
  assert.match(address, /^#\/pushfight:mini\/puzzles\?position=[^&]+&kind=win&day=20261124$/);
  assert.notEqual(await puzzleOn(25), address);
  const again = await puzzleOn(24, async (page, daily) => {
    await daily.getByRole('link', { name: 'Solve it' }).click();
    await page.getByTestId('task').waitFor();
    await page.getByText('Puzzle of the day: Tuesday, November 24').waitFor();
    await settled(page);
    const position = decodeURIComponent(address.match(/position=([^&]+)/)[1]);
    await win(page, here.url, 'pushfight:mini', position);
    await page.getByTestId('answer').getByText('Correct!').waitFor();
    await page.getByRole('link', { name: 'Retrograde' }).click();
    await daily.getByText('Solved.').waitFor();
    // The puzzle of the day before is another one, and not solved.
    await daily.getByRole('button', { name: 'Previous day' }).click();
    await daily.getByText('Monday, November 23').waitFor();
    await daily.getByRole('link', { name: 'Solve it' }).waitFor();
    assert.match(await daily.getByRole('link').getAttribute('href'), /day=20261123$/);
    // The chosen day is still chosen after reloading, and on the way back.
    await page.reload();
    await daily.getByText('Monday, November 23').waitFor();
    await daily.getByRole('link', { name: 'Solve it' }).click();
    await page.getByText('Puzzle of the day: Monday, November 23').waitFor();
    await page.goBack();
    await daily.getByText('Monday, November 23').waitFor();
    await page.getByRole('link', { name: 'Retrograde' }).click();
    await daily.getByText('Solved.').waitFor();
    await page.goBack();
    await daily.getByRole('button', { name: 'Today' }).click();
    await daily.getByText('Solved.').waitFor();
    assert.equal(await page.evaluate(() => location.hash), '#/');
  });
  assert.equal(again, address);
});

test('a puzzle is that of a day only if it is true', () =>
  here.visit('', async (page) => {
    await page.clock.setFixedTime(new Date(Date.UTC(2026, 10, 24, 12)));
    await page.goto('about:blank');
    await page.goto(here.url);
    const address = await page.locator('.daily').getByRole('link').getAttribute('href');
    // Today's puzzle, another puzzle as today's, and one of the future.
    const other = '#/touchdown:4x4/puzzles?kind=win&depth=3';
    await page.goto(here.url + other);
    await page.waitForFunction(() => location.hash.includes('position='));
    const plain = await page.evaluate(() => location.hash.replace('&depth=3', ''));
    for (const [hash, day] of [
      [address, 'Tuesday, November 24'],
      [`${plain}&day=20261124`, null],
      [address.replace('20261124', '20261123'), null],
      [address.replace('20261124', '20261231'), null],
    ]) {
      await page.goto('about:blank');
      await page.goto(here.url + hash);
      await page.getByTestId('task').waitFor();
      await settled(page);
      assert.equal(await page.getByText('Puzzle of the day').count(), day ? 1 : 0, hash);
      if (day) await page.getByText(`Puzzle of the day: ${day}`).waitFor();
      assert.equal(await page.evaluate(() => location.hash.includes('day=')), day !== null);
    }
    // Nor is there a puzzle of the future at home.
    await page.goto('about:blank');
    await page.goto(`${here.url}#/?day=20261231`);
    await page.locator('.daily').getByText('Tuesday, November 24').waitFor();
  }));

test('alternative names open their game, and errors link to a suggestion', () =>
  here.visit(
    '',
    async (page) => {
      const field = page.getByLabel('Open another variant by name');
      for (const [name, game] of [
        ['push fight', 'pushfight:standard'],
        ['TOUCHDOWN:5x4', 'touchdown:5x4'],
        ['touchdown:3x3', 'touchdown:3x3'],
      ]) {
        await field.fill(name);
        await field.press('Enter');
        await page.waitForFunction((game) => location.hash.startsWith(`#/${game}`), game);
        await settled(page);
        await page.goBack();
      }
      await field.fill('touchdwn:4x4');
      await field.press('Enter');
      await page.getByRole('alert').getByRole('link', { name: 'TouchDown 4 × 4' }).click();
      await settled(page);
      assert.equal(await page.evaluate(() => location.hash), '#/touchdown:4x4');
    },
    { expected: ['404'] },
  ));

test('a page that does not exist has a link home', () =>
  here.visit(
    'nope.html',
    async (page) => {
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      await page.getByRole('link', { name: 'All games' }).click();
      await page.getByRole('heading', { name: 'Push Fight' }).waitFor();
      const response = await fetch(`${here.url}nope.html`);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
    },
    { expected: ['404'] },
  ));
