// Addresses name what is shown: after a change of screens, after reload, and going back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { made, open, settled, site, square } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const GAME = '#/pushfight:mini,pushers=1,pawns=1';
const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
const at = (page, wanted) =>
  page.waitForFunction((text) => decodeURIComponent(location.hash) === text, wanted);

/** Waits for a puzzle and its address; returns the address. */
async function puzzle(page) {
  await page.getByTestId('task').waitFor();
  await page.waitForFunction(() => location.hash.includes('kind='));
  return hash(page);
}

const SCREENS = [
  { link: 'Numbers', shows: (page) => page.locator('.numbers .lead'), address: `${GAME}/numbers` },
  { link: 'Set up', shows: (page) => page.getByLabel('Piece to place'), address: `${GAME}/setup` },
  { link: 'Play', shows: (page) => page.locator('.play .board').first(), address: GAME },
];

for (const { link, shows, address } of SCREENS) {
  test(`from a puzzle to ${link}: the address is that of the new screen, also after reload and going back`, () =>
    here.visit(`${GAME}/puzzles`, async (page) => {
      const first = await puzzle(page);
      await page.getByRole('link', { name: link, exact: true }).click();
      await shows(page).waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await hash(page), address);
      await page.reload();
      await shows(page).waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await hash(page), address);
      await page.goBack();
      assert.equal(await puzzle(page), first);
    }));
}

test('Explore opens the position of the puzzle, and going back the puzzle', () =>
  here.visit(`${GAME}/puzzles`, async (page) => {
    const first = await puzzle(page);
    await page.getByRole('button', { name: 'Show solution' }).click();
    await page.getByRole('link', { name: 'Explore' }).click();
    await settled(page);
    await page.waitForLoadState('networkidle');
    const position = /position=([^&]*)/.exec(first)[1];
    assert.equal(await hash(page), `${GAME}?position=${position}`);
    await page.goBack();
    assert.equal(await puzzle(page), first);
  }));

test('a puzzle that arrives after its screen was left does not change the address', () =>
  here.visit(`${GAME}/numbers`, async (page) => {
    await page.locator('.numbers .lead').waitFor();
    let asked;
    const waiting = new Promise((resolve) => (asked = resolve));
    let answer;
    await page.route('**/puzzles?**', (route) => {
      answer = () => route.continue();
      asked();
    });
    await page.getByRole('link', { name: 'Puzzles' }).click();
    await waiting;
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.locator('.numbers .lead').waitFor();
    await answer();
    await page.waitForLoadState('networkidle');
    assert.equal(await hash(page), `${GAME}/numbers`);
  }));

test('turns are in the address as people see them', async () => {
  await here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    for (const [number, name] of ['a1', 'a2', 'd4', 'd3'].entries()) {
      await square(page, name).click();
      if (number % 2) await made(page, (number + 1) / 2);
    }
    await at(page, '#/touchdown:4x4?turns=a1a2;d4d3');
    await page.reload();
    await made(page, 2);
    assert.match(await page.locator('.history').textContent(), /a1a2.*d4d3/s);
    assert.equal(await hash(page), '#/touchdown:4x4?turns=a1a2;d4d3');
  });
  await here.visit('#/tactics:3x3', async (page) => {
    await settled(page);
    for (let turn = 1; turn <= 2; turn++) {
      while ((await page.locator('.history button').count()) <= turn) {
        const [first] = await open(page);
        await square(page, first.name).click();
        await settled(page);
      }
      await made(page, turn);
    }
    const address = await hash(page);
    const names = await page.locator('.history button').allTextContents();
    await page.reload();
    await made(page, 2);
    assert.deepEqual(await page.locator('.history button').allTextContents(), names);
    assert.equal(await hash(page), address);
  });
});

test('instead of a position that does not exist, the start can be opened', () =>
  here.visit(
    '#/touchdown:4x4?position=zzz',
    async (page) => {
      await page.getByRole('alert').getByText('zzz').waitFor();
      assert.equal(await hash(page), '#/touchdown:4x4?position=zzz');
      await page.getByRole('button', { name: 'Open the starting position' }).click();
      await settled(page);
      await page.getByText('Red wins in 11 turns').waitFor();
      await at(page, '#/touchdown:4x4');
      assert.equal(await page.getByRole('alert').count(), 0);
    },
    { expected: ['400'] },
  ));
