// Missed puzzles come back on later days, also in another browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { knowsRules, settled, site, win } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const GAME = 'touchdown:4x4';
const panel = (page) => page.getByTestId('drills');
const noon = (day) => new Date(Date.UTC(2026, 10, 23 + day, 12));

/** Opens the puzzles of the game on a day. */
async function open(page, day) {
  await page.clock.setFixedTime(noon(day));
  await page.goto('about:blank');
  await page.goto(`${here.url}#/${GAME}/puzzles`);
  await page.getByTestId('task').waitFor();
  await settled(page);
}

test('a missed puzzle comes back after a day, after three more, and as a file', () =>
  here.visit('', async (page) => {
    await open(page, 0);
    await page.waitForFunction(() => location.hash.includes('position='));
    const position = new URLSearchParams((await page.evaluate(() => location.hash)).split('?')[1]).get(
      'position',
    );
    await page.getByRole('button', { name: 'Show solution' }).click();
    await panel(page).getByText('0 due today, 1 in total').waitFor();

    /** Practises the due drills. */
    async function repeat() {
      await panel(page).getByRole('button', { name: 'Practise now' }).press('Enter');
      await page.waitForFunction(() => /\/puzzles\?due=1$/.test(location.hash));
      await page.locator('.table[aria-busy=false]').waitFor();
      await settled(page);
      assert.ok(await page.locator('.stage:focus').isVisible(), 'the board has the focus');
      assert.ok((await page.locator('.stage').boundingBox()).y >= 0, 'the board is on the screen');
      await win(page, here.url, GAME, position);
      await page.getByTestId('answer').getByText('Correct!').waitFor();
      await panel(page).getByText('0 due today, 1 in total').waitFor();
    }

    await open(page, 1);
    await panel(page).getByText('1 due today, 1 in total').waitFor();
    await repeat();
    await page.getByRole('button', { name: 'Next puzzle' }).click();
    await page.getByTestId('notice').getByText('That is all for today.').waitFor();
    await open(page, 3);
    await panel(page).getByText('0 due today, 1 in total').waitFor();
    await open(page, 4);
    await repeat();
    await open(page, 10);
    await panel(page).getByText('0 due today').waitFor();
    await open(page, 11);
    await panel(page).getByText('1 due today').waitFor();

    await panel(page).getByText('Back up or transfer').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      panel(page).getByRole('button', { name: 'Export' }).click(),
    ]);
    const path = await file.path();
    assert.equal(JSON.parse(readFileSync(path, 'utf8')).cards[0].position, position);

    const other = await here.browser.newContext();
    try {
      await knowsRules(other);
      const elsewhere = await other.newPage();
      await open(elsewhere, 11);
      await panel(elsewhere).getByText('Back up or transfer').click();
      const wrong = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
      await panel(elsewhere).getByLabel('Import').setInputFiles(wrong);
      await panel(elsewhere).getByRole('alert').getByText('not a drills file').waitFor();
      await panel(elsewhere).getByLabel('Import').setInputFiles(path);
      await panel(elsewhere).getByText('1 due today, 1 in total').waitFor();
      assert.equal(await panel(elsewhere).getByRole('alert').count(), 0);
    } finally {
      await other.close();
    }
  }));

test('a drill has its own theme and address, and is shown on a phone', () =>
  here.visit(
    '',
    async (page) => {
      await open(page, 0);
      await page.getByRole('button', { name: 'Show solution' }).click();
      await panel(page).getByText('0 due today, 1 in total').waitFor();
      await page.clock.setFixedTime(noon(1));
      await page.goto('about:blank');
      await page.goto(`${here.url}#/${GAME}/puzzles?kind=delay`);
      await page.getByTestId('task').getByText('Find the turn that holds out longest').waitFor();
      await settled(page);
      await panel(page).getByRole('button', { name: 'Practise now' }).click();
      await page.getByTestId('task').getByText('Find the only winning turn').waitFor();
      assert.ok(await page.getByLabel('Find the win').isChecked());
      assert.match(await page.evaluate(() => location.hash), /\/puzzles\?due=1$/);
      const { y, height } = await page.locator('.stage').boundingBox();
      assert.ok(y >= 0 && y + height <= 844, `${y}, ${height}`);
      await page.goBack();
      await page.getByTestId('task').getByText('Find the turn that holds out longest').waitFor();
    },
    { viewport: { width: 390, height: 844 } },
  ));

test('tabs keep each other’s drills, and the home screen leads to the due ones', () =>
  here.visit('', async (page) => {
    await open(page, 0);
    const other = await page.context().newPage();
    await open(other, 0);
    for (const tab of [page, other]) {
      const before = tab.url();
      await tab.getByRole('button', { name: 'Show solution' }).click();
      await tab.getByTestId('answer').getByText('The solution is').waitFor();
      await tab.getByRole('button', { name: 'Next puzzle' }).click();
      await tab.waitForFunction((before) => location.href !== before, before);
    }
    await panel(other).getByText('0 due today, 2 in total').waitFor();
    await panel(page).getByText('0 due today, 2 in total').waitFor();
    await page.clock.setFixedTime(noon(1));
    await page.goto('about:blank');
    await page.goto(here.url);
    await page.getByTestId('due').getByText('2 drills are due:').waitFor();
    await page.getByRole('link', { name: 'TouchDown 4 × 4 (2)' }).click();
    await panel(page).getByText('2 due today, 2 in total').waitFor();
    await page.getByTestId('task').waitFor();
    assert.equal(await panel(page).getByRole('button', { name: 'Practise now' }).count(), 0);
  }));
