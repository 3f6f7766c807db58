// Custom boards: drawn, dropped, pasted, checked, solved in the browser and shared by address. The page must agree with
// the command line.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { knowsRules, made, newPage, open, settled, site, square, verdict } from './site.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RING = `name = ring
pushers = 1
pawns = 1
moves = 1
+ +-+-+ +
 . . . .
+ + + + +
 . # . .
+ + + + +
 . . . .
+ +-+-+ +
`;
const MINI = readFileSync(new URL('../../checks/boards/mini.board', import.meta.url), 'utf8');

let here;
before(async () => (here = await site()));
after(() => here.close());

/** The name of a board in an address. */
const address = (text) => `#/board:${Buffer.from(text).toString('base64url')}`;

/** Runs the command line and returns its lines of JSON. */
const command = (...args) => commandIn(here.tables, ...args);
const commandIn = (tables, ...args) =>
  execFileSync(process.env.RETROGRADE, [...args, '--json', '--tables', tables], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

function file(name, text) {
  const path = join(here.tables, name);
  writeFileSync(path, text);
  return path;
}

const text = (page) => page.getByRole('textbox', { name: /A \.board file/ });
const check = (page) => page.getByTestId('check');
const sound = (page) => check(page).getByText('This board is valid.').waitFor();
const solved = (page) => page.getByText('Solved in this browser').waitFor({ timeout: 120_000 });

/** The value in the words of the page. */
function words({ outcome, turns }) {
  if (outcome === 'draw') return /draw/i;
  return new RegExp(`^${outcome === 'win' ? 'Red' : 'Blue'} wins in ${turns} turn`);
}

test('a board is drawn, solved and explored as the command line solves it', async () => {
  await here.visit('#/board', async (page) => {
    await sound(page);
    await page.getByLabel('Columns').fill('4');
    await page.getByLabel('Columns').press('Enter');
    await page.getByLabel('Moves before the push').fill('1');
    await page.getByLabel('Moves before the push').press('Enter');
    // A hole, and edges that are open or not.
    await square(page, 'b2').click();
    await page.getByRole('radio', { name: /^rails/ }).check({ force: true });
    await page.getByRole('checkbox', { name: 'Rail above a3' }).click();
    await page.getByRole('checkbox', { name: 'Rail right of a2' }).click();
    await page.getByRole('checkbox', { name: 'Rail left of a2' }).press('Enter');
    const drawn = await text(page).inputValue();
    assert.match(drawn, /moves = 1\n\+ \+-\+-\+-\+\n \. \. \. \.\n\+ \+ \+ \+ \+\n\|\.\|# \. \.\n/);
    await sound(page);
    // The address has the board before it is opened.
    assert.ok(page.url().includes(`${address(drawn)}/board`), page.url());

    const name = `pushfight:${file('drawn.board', drawn)}`;
    const [known] = command('solve', name);
    const [probe] = command('probe', name);
    await page.getByRole('button', { name: 'Solve and explore' }).click();
    await solved(page);
    await settled(page);
    assert.match(await verdict(page), words(known.start));
    const places = await open(page);
    assert.ok(places.length > 0 && places.every(({ outcome }) => outcome), 'squares have values');
    const count = await page.locator('#allturns small').textContent();
    assert.equal(Number(count), probe.page?.count ?? probe.turns_available.length);
    assert.equal(await page.title(), 'Push Fight on “small” – Retrograde');

    await page.getByRole('link', { name: 'Numbers' }).click();
    const number = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
    await page.getByText(`${number(known.wins)} won`).waitFor();
    await page.getByText(`${number(known.losses)} lost`).waitFor();
    await page.getByRole('link', { name: 'Set up' }).click();
    await square(page, 'a1').waitFor();
    await page.getByRole('link', { name: 'Change the board' }).first().click();
    await square(page, 'b2').waitFor();
    assert.equal(await text(page).inputValue(), drawn);
  });
});

test('a shared address opens the same board and turns', async () => {
  const name = `pushfight:${file('ring.board', RING)}`;
  command('solve', name);
  let shared;
  await here.visit(address(RING), async (page) => {
    await solved(page);
    await settled(page);
    const [probe] = command('probe', name);
    assert.match(await verdict(page), words(probe));
    await page.locator('.turns button.turn').first().click();
    await made(page, 1);
    shared = page.url().replace(here.url, '');
    await page.reload();
    await solved(page);
    await made(page, 1);
  });
  await here.visit(shared, async (page) => {
    await solved(page);
    await made(page, 1);
    await page.getByRole('link', { name: 'Puzzles' }).click();
    await page.getByText(/turn/i).first().waitFor();
  });
});

test('errors are the same as in the command line, with line and column', async () => {
  await here.visit(`${address(RING)}/board`, async (page) => {
    await sound(page);
    for (const wrong of [
      RING.replace(' . # . .', ' . ? . .'),
      RING.replace('moves = 1', 'move = 1'),
      RING.replace('+ +-+-+ +\n . . . .\n+ + + + +\n .', '+ +-+-+ +\n . . . .\n+-+ + + +\n .'),
    ]) {
      await text(page).fill(wrong);
      await check(page)
        .getByText(/^Line \d+, column \d+:/)
        .waitFor();
      const message = (await check(page).textContent()).trim();
      const [, line, column, reason] = /^Line (\d+), column (\d+): (.*)$/s.exec(message);
      const { stderr, status } = spawnSync(
        process.env.RETROGRADE,
        ['board', 'check', file('w.board', wrong)],
        {
          encoding: 'utf8',
        },
      );
      assert.notEqual(status, 0);
      // The page makes a sentence of it, with its own quotation marks.
      const plain = (text) => text.replaceAll(/\s+/g, ' ').replaceAll(/[`“”]/g, '"').toLowerCase();
      assert.ok(
        plain(stderr).includes(plain(`line ${line}, column ${column}: ${reason.replace(/\.$/, '')}`)),
        stderr,
      );
      assert.ok(await page.getByRole('button', { name: 'Solve and explore' }).isDisabled());
      const goesThere = async () => {
        await page.getByRole('button', { name: `Go to line ${line}, column ${column}` }).click();
        const at = await text(page).evaluate((field) => field.selectionStart);
        assert.equal(wrong.slice(0, at).split('\n').length, Number(line));
        assert.equal(at - (wrong.lastIndexOf('\n', at - 1) + 1) + 1, Number(column));
      };
      await goesThere();
      // The same in a file from Windows.
      await text(page).fill(RING);
      await sound(page);
      const chosen = file(`line-${line}.board`, wrong.replaceAll('\n', '\r\n'));
      await page.getByLabel('Open a file').setInputFiles(chosen);
      await goesThere();
    }
    await text(page).fill('pushers = 9\n+ + +\n . .\n+ + +\n');
    await check(page).getByText('too many for 2 squares').waitFor();
  });
  // A truncated address.
  await here.visit('#/board:x', async (page) => {
    await page.getByText('This board cannot be played').waitFor();
  });
});

test('a file is dropped, pasted or chosen', async () => {
  await here.visit('#/board', async (page) => {
    await sound(page);
    await page.evaluate((board) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([board], 'ring.board'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
    }, RING);
    await page.waitForFunction(() => document.querySelector('textarea').value.startsWith('name = ring'));
    await page.evaluate((board) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', board);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }, MINI);
    await page.waitForFunction(() => document.querySelector('textarea').value.startsWith('pushers = 2'));
    await check(page).getByText('15,135,120 positions').waitFor();
    await page.getByLabel('Open a file').setInputFiles(file('chosen.board', RING.replace('ring', 'chosen')));
    await page.waitForFunction(() => document.querySelector('textarea').value.startsWith('name = chosen'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save to file' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'chosen.board');
    assert.equal(readFileSync(await download.path(), 'utf8'), RING.replace('ring', 'chosen'));
  });
});

test('a solve shows its progress and can be stopped', async () => {
  await here.visit(address(MINI), async (page) => {
    await page.getByText('Solving …').waitFor();
    await page.getByRole('progressbar').waitFor();
    await page.getByText(/(won|lost) in \d+ turn/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    // It can still be played.
    await page.getByText('15,135,120 positions, not solved').waitFor();
    await settled(page);
    await page.getByRole('button', { name: 'Solve in this browser' }).click();
    await page.getByRole('progressbar').waitFor();
    await solved(page);
    await settled(page);
    assert.equal(await verdict(page), 'Red wins in 5 turns');
  });
});

test('turns that were played before the game is solved here are kept', () =>
  here.visit('#/here:pushfight:mini?turns=O:a2,b1 o:b2,c1', async (page) => {
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('15,135,120 positions, not solved').waitFor();
    await made(page, 1);
    await page.getByTestId('status').getByText('Place 2 pushers').waitFor();
    for (const name of ['d1', 'd2', 'd3', 'e2']) await square(page, name).click();
    await made(page, 2);
    const address = await page.evaluate(() => location.hash);
    assert.match(address, /;X:/);
    await page.getByRole('button', { name: 'Solve in this browser' }).click();
    await solved(page);
    await made(page, 2);
    assert.equal(await page.evaluate(() => location.hash), address);
    await page.reload();
    await solved(page);
    await made(page, 2);
  }));

test('a game that is too large to solve in a browser can still be played', async () => {
  const standard = readFileSync(new URL('../../checks/boards/standard.board', import.meta.url), 'utf8');
  await here.visit(`${address(standard)}/board`, async (page) => {
    await check(page).getByText('401,567,166,000 positions').waitFor();
    await check(page).getByText('too many positions for a browser').waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByText('not solved: values come from short searches').waitFor();
    await page.locator('.cell.open').first().waitFor();
    await settled(page);
    assert.ok((await open(page)).length > 3);
    assert.equal(await page.getByRole('button', { name: 'Solve in this browser' }).count(), 0);
  });
});

test('a small game without a table is solved here', async () => {
  const [known] = commandIn(join(here.tables, 'elsewhere'), 'solve', 'touchdown:3x4');
  await here.visit('#/touchdown:3x4', async (page) => {
    await settled(page);
    await page.getByRole('button', { name: 'Solve in this browser' }).click();
    await solved(page);
    await settled(page);
    assert.match(await verdict(page), words(known.start));
    assert.ok(page.url().endsWith('#/here:touchdown:3x4'), page.url());
  });
  // It is already solved on the server.
  await here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    assert.equal(await page.getByRole('button', { name: 'Solve in this browser' }).count(), 0);
  });
});

test('a game that is solved here goes on with its turns, position and screen', async () => {
  for (const shown of [
    '?turns=a1a2;c4c3',
    '?turns=a1a2(b1b2);c4c3&at=2',
    '?position=OO./..O/X../.XX',
    '/numbers',
  ]) {
    await here.visit(`#/touchdown:3x4${shown}`, async (page) => {
      await page.getByRole('button', { name: 'Solve in this browser' }).click();
      await solved(page);
      await page.locator('.play .board, .numbers .lead').first().waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(
        await page.evaluate(() => decodeURIComponent(location.hash)),
        `#/here:touchdown:3x4${shown}`,
      );
    });
  }
});

test('only the worker may compile WebAssembly', async () => {
  await here.visit('#/board', async (page) => {
    const [worker] = await Promise.all([page.waitForEvent('worker'), page.reload()]);
    await sound(page);
    const policy = async (url) => (await fetch(url)).headers.get('content-security-policy');
    assert.match(await policy(worker.url()), /script-src 'self' 'wasm-unsafe-eval'/);
    assert.ok(!(await policy(here.url)).includes('wasm'));
    const module = await fetch(new URL('module.wasm', here.url));
    assert.equal(module.headers.get('content-type'), 'application/wasm');
  });
});

test('drawing works by keyboard, and axe finds no problems', async () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const [hash, ready] of [
      [`${address(RING)}/board`, sound],
      [address(RING), solved],
    ]) {
      await here.visit(
        hash,
        async (page) => {
          await ready(page);
          await page.evaluate(AXE);
          const { violations } = await page.evaluate(() =>
            globalThis.axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }),
          );
          const problems = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0].html}`);
          assert.deepEqual(problems, [], hash);
        },
        { colorScheme },
      );
    }
  }
  await here.visit(`${address(RING)}/board`, async (page) => {
    await sound(page);
    await square(page, 'a3').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    assert.ok((await text(page).inputValue()).includes(' . # . .\n+ + + + +\n . # . .'));
  });
});

test('the standalone page of a custom board also solves other boards', async () => {
  const board = file('alone.board', RING.replace('name = ring\n', ''));
  const name = `pushfight:${board}`;
  const [known] = command('solve', name);
  const out = join(here.tables, 'alone.html');
  command('export', name, '--format', 'html', '--out', out);
  const context = await here.browser.newContext({ viewport: { width: 1100, height: 900 }, offline: true });
  await knowsRules(context);
  const page = await newPage(context);
  const complaints = [];
  page.on('console', (line) => ['error', 'warning'].includes(line.type()) && complaints.push(line.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(pathToFileURL(out).href);
  await settled(page);
  assert.match(await verdict(page), words(known.start));
  await page.goto(`${pathToFileURL(out).href}#/board`);
  await sound(page);
  await text(page).fill(RING);
  await sound(page);
  await page.getByRole('button', { name: 'Solve and explore' }).click();
  await solved(page);
  await settled(page);
  assert.match(await verdict(page), words(known.start));
  assert.deepEqual(complaints, []);
  await context.close();
});
