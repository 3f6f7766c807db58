// A server with solved games, and a browser that visits it. A warning or error of the page, or a
// request to another host, fails the test.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { fill } from './tables.mjs';

const binary = process.env.RETROGRADE;

/** Starts a server; `options` are passed to `retrograde serve`. */
async function serve(program, tables, options) {
  const child = spawn(
    program,
    // On a busy machine answers may take longer than usual.
    [
      'serve',
      '--json',
      '--listen',
      '127.0.0.1:0',
      '--time',
      '60',
      '--work',
      '60000',
      '--tables',
      tables,
      ...options,
    ],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  for await (const line of createInterface({ input: child.stdout }))
    return { url: JSON.parse(line).url, child };
  throw new Error('the server did not start');
}

/** Marks the rules as seen, so that they do not open. */
export const knowsRules = (context) =>
  context.addInitScript(() => {
    // Empty pages do not have storage.
    if (location.protocol !== 'about:')
      localStorage.setItem(
        'retrograde:rules-seen',
        JSON.stringify(['tactics', 'touchdown', 'pushfight', 'passes']),
      );
  });

/** Opens a page that waits up to a minute, because a busy machine is slow. Only tests that fail wait that long. */
export async function newPage(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

/** The tables, server and browser for a file of tests; with `own`, for a game of another program. */
export async function site(options = [], own = null) {
  const tables = mkdtempSync(join(tmpdir(), 'retrograde-'));
  if (own) execFileSync(own.program, ['solve', own.game, '--tables', tables], { stdio: 'ignore' });
  else fill(tables);
  const { url, child } = await serve(own?.program ?? binary, tables, options);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
  return {
    url,
    browser,
    tables,
    async close() {
      await browser.close();
      child.kill();
      rmSync(tables, { recursive: true, force: true });
    },
    /** Opens an address of the page and passes it to `look`; with `firstVisit`, as a new visitor. */
    async visit(hash, look, { firstVisit = false, ...how } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        ...how,
      });
      if (!firstVisit) await knowsRules(context);
      const page = await newPage(context);
      const complaints = [];
      const { expected = [] } = how;
      page.on('console', (message) => {
        const text = message.text();
        if (['error', 'warning'].includes(message.type()) && !expected.some((part) => text.includes(part)))
          complaints.push(text);
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
          complaints.push(`asked ${request.url()}`);
      });
      try {
        await page.goto(url + hash);
        await look(page);
        assert.deepEqual(complaints, []);
      } finally {
        await context.close();
      }
    },
  };
}

/** Requests an answer from the server. */
export async function ask(url, path, body) {
  const response = await fetch(
    new URL(`api/v1/${path}`, url),
    body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  return response.json();
}

export const square = (page, name) => page.locator(`[data-square="${name}"]`);
/** The verdict above the board, once it is shown. */
export async function verdict(page) {
  const shown = page.getByTestId('verdict').filter({ hasNotText: '…' });
  return shown.textContent();
}
export const history = (page) => page.getByRole('list', { name: 'The game so far' }).getByRole('button');

/** Waits until a board is completely loaded. */
export const settled = (page) =>
  page.waitForFunction(
    () => document.querySelector('.board') && !document.querySelector('.stage.loading, [aria-busy="true"]'),
  );

/** Waits until a number of turns are played and the position is loaded. */
export async function made(page, count) {
  await page.waitForFunction(
    (count) =>
      document.querySelectorAll('.history button').length === count + 1 &&
      !document.querySelector('.stage.loading'),
    count,
  );
}

/** The squares that may be touched. */
export const open = (page) =>
  page
    .locator('.cell.open')
    .evaluateAll((cells) =>
      cells.map((cell) => ({ name: cell.dataset.square, outcome: cell.dataset.outcome })),
    );

/** Chooses an opponent, a side and a first position in the dialog for a new game, and starts it. */
export async function newGame(page, { opponent, side = 'Red', from }) {
  await page.getByRole('button', { name: 'New game', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New game' });
  await dialog.getByRole('radio', { name: opponent }).check({ force: true });
  await dialog.getByRole('radio', { name: side, exact: true }).check();
  if (from) await dialog.getByRole('radio', { name: from }).check();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.getByText(`You (${side}) against ${opponent}`).waitFor();
}

/** Answers a puzzle of Red's with best turns, until the game is won. */
export async function win(page, url, game, position) {
  for (;;) {
    const probe = (position) => ask(url, `games/${game}/positions?position=${position}`);
    const { turns, turns_available: all } = await probe(position);
    // The last of the quickest wins: any of them is right.
    const best = all.filter((turn) => turn.outcome === 'win' && turn.turns === turns).at(-1);
    for (const name of best.turn.match(/[a-z]\d/g)) {
      await page.waitForFunction(
        (name) => document.querySelector(`[data-square="${name}"]`)?.classList.contains('open'),
        name,
      );
      await square(page, name).click();
      // Until the next steps are loaded, the old squares are still open.
      await settled(page);
    }
    const { turns_available: replies } = await probe(best.position);
    if (replies.length === 0) return;
    await page
      .getByTestId('answer')
      .getByText(`Red wins in ${turns - 2} turn`)
      .waitFor();
    position = replies[0].position;
  }
}
