// The standalone page: it is opened from a file, sends no requests, and agrees with the server.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { ask, knowsRules, made, newGame, newPage, open, settled, site, square, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

/** Exports the page of a game and opens it. */
async function alone(game, look, firstVisit = false) {
  const file = join(here.tables, 'page.html');
  execFileSync(
    process.env.RETROGRADE,
    ['export', game, '--format', 'html', '--out', file, '--force', '--tables', here.tables],
    { stdio: 'ignore' },
  );
  const context = await here.browser.newContext({ viewport: { width: 1100, height: 900 }, offline: true });
  if (!firstVisit) await knowsRules(context);
  const page = await newPage(context);
  const complaints = [];
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()),
  );
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => /^(file|data):/.test(request.url()) || complaints.push(request.url()));
  try {
    await page.goto(pathToFileURL(file).href);
    await look(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

test('TouchDown from a file: play, numbers, puzzles', () =>
  alone('touchdown:4x4', async (page) => {
    await settled(page);
    assert.equal(await verdict(page), 'Red wins in 11 turns');
    await square(page, 'a1').click();
    await square(page, 'a2').click();
    await made(page, 1);
    await newGame(page, { opponent: 'Mila', from: 'The position on the board', side: 'Red' });
    await made(page, 1);
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByText('755,591').waitFor();
    assert.equal(await page.locator('.samples li').count(), 2);
    await page.getByRole('link', { name: 'Puzzles' }).click();
    await page.getByText('Find the only winning turn').waitFor();
    await page.getByRole('link', { name: 'Set up' }).click();
    await square(page, 'a1').waitFor();
  }));

test('Tactics and Push Fight from a file have the values of the server', async () => {
  for (const game of ['tactics:3x3', 'pushfight:mini']) {
    const answer = await ask(here.url, `games/${game}/positions`);
    await alone(game, async (page) => {
      await settled(page);
      const shown = await page
        .locator('.turns small')
        .evaluateAll((counts) => counts.map((count) => Number(count.textContent)));
      assert.equal(
        shown.reduce((a, b) => a + b),
        answer.turns_available.length,
        game,
      );
      const list = await page
        .locator('.turns button.turn')
        .evaluateAll((turns) => turns.map((turn) => turn.textContent));
      // Placements are listed in words.
      const words = (part) =>
        `${part.startsWith('O') ? 'pushers' : 'pawns'} ${part.slice(2).replaceAll(',', ' ')}`;
      const known = new Set(
        answer.turns_available.map(({ turn_on_board: turn }) =>
          turn.includes(':') ? turn.split(' ').map(words).join(', ') : turn,
        ),
      );
      assert.ok(list.length > 3 && list.every((turn) => known.has(turn)), game);
      assert.ok((await open(page)).length > 3);
    });
  }
});

test('a file shows the rules on the first visit, and refutes puzzle answers without a server', () =>
  alone(
    'touchdown:4x4',
    async (page) => {
      const rules = page.getByRole('dialog', { name: /^How to play/ });
      await rules.waitFor();
      assert.equal(await rules.locator('figure .board').count(), 3);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Puzzles' }).click();
      await page.getByLabel('Depth').selectOption('7');
      await page.getByText('Red to play and win in 7 turns').waitFor();
      await page.getByRole('button', { name: 'Show solution' }).click();
      await page.getByTestId('answer').getByText('The solution is').waitFor();
      await page.getByTestId('drills').getByText('0 due today, 1 in total').waitFor();
    },
    true,
  ));
