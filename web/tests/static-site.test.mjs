// Sites: the explorer as a folder of static files on several hosts, below a prefix. Sites agree with the server,
// and faults of hosts are reported and never produce a value.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { history, knowsRules, made, newGame, newPage, settled, square, verdict } from './site.mjs';
import { faultyHost, nginxHost, sirvHost } from './static-host.mjs';
import { fill } from './tables.mjs';

/** A small board that is solved phase by phase, into files like those of the large boards. */
const PHASES = 'pushfight:mini,pushers=1,pawns=1';
/** A table that is too large to be downloaded whole. */
const LARGE = 'touchdown:5x5';
const GAMES = ['touchdown:4x4', 'tactics:3x3', 'pushfight:mini', PHASES, LARGE];

const run = (...args) => execFileSync(process.env.RETROGRADE, args, { stdio: ['ignore', 'pipe', 'inherit'] });
const module = process.env.RETROGRADE_MODULE ? ['--module', process.env.RETROGRADE_MODULE] : [];

let [room, folder, cut, browser] = [];
before(async () => {
  room = mkdtempSync(join(tmpdir(), 'retrograde-site-'));
  const tables = join(room, 'tables-there');
  fill(tables);
  rmSync(join(tables, 'pushfight_mini_pushers=1_pawns=1'), { recursive: true, force: true });
  run('solve', PHASES, '--with-wins', '--memory', '20M', '--again', '--tables', tables);
  run('solve', LARGE, '--tables', tables);
  [folder, cut] = [join(room, 'whole'), join(room, 'cut')];
  run('export', 'site', ...GAMES, '--out', folder, '--tables', tables, ...module);
  run('export', 'site', ...GAMES, '--out', cut, '--piece-size', '100K', '--tables', tables, ...module);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  rmSync(room, { recursive: true, force: true });
});

/** Opens a page of a host; warnings and errors that are not `expected` fail the test. */
async function visit(host, hash, look, { expected = [], ...how } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
    serviceWorkers: 'block',
    ...how,
  });
  await knowsRules(context);
  const page = await newPage(context);
  const complaints = [];
  const note = (text) => [...expected, BLOCKED].some((part) => text.includes(part)) || complaints.push(text);
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && note(message.text()));
  page.on('pageerror', (error) => note(error.message));
  page.on(
    'request',
    (request) =>
      /^(data|blob):/.test(request.url()) ||
      request.url().startsWith(host.url) ||
      note(`asked ${request.url()}`),
  );
  try {
    await page.goto(host.url + hash);
    await look(page, context);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Runs a test with a host, and closes the host. */
async function hosted(host, look) {
  const made = await host;
  try {
    await look(made);
  } finally {
    made.close();
  }
}

/** Most tests run without a service worker, which would affect other tests. */
const BLOCKED = 'Service Worker registration blocked';
const FETCH = 'Failed to load resource';
/** The statistics of the workers. */
const workers = (page) => page.evaluate(() => JSON.parse(document.documentElement.dataset.site ?? '{}'));

/** Uses all screens of a site. */
async function allScreens(page) {
  await page.getByRole('heading', { name: 'Perfect play, position by position' }).waitFor();
  assert.ok(
    (await page.getByRole('link', { name: 'Play' }).count()) >= 3,
    'the games of the site are listed',
  );
  await page.goto(page.url().split('#')[0] + '#/touchdown:4x4');
  await settled(page);
  assert.equal(await verdict(page), 'Red wins in 11 turns');
  await square(page, 'a1').click();
  await square(page, 'a2').click();
  await made(page, 1);
  await newGame(page, { opponent: 'Mila', from: 'The position on the board' });
  await made(page, 1);
  assert.match(page.url(), /position=.*turns=/);
  await page.reload();
  await made(page, 1);
  assert.equal(await history(page).count(), 2);
  await page.getByRole('link', { name: 'Numbers' }).click();
  await page.getByText('755,591').waitFor();
  await page.locator('.samples li').first().waitFor();
  await page.getByRole('link', { name: 'Puzzles' }).click();
  await page.getByText('Find the only winning turn').waitFor();
  await page.getByRole('link', { name: 'Set up' }).click();
  await square(page, 'a1').waitFor();
}

test('all screens, from a plain server of the package registry', () =>
  hosted(sirvHost(folder), (host) => visit(host, '', allScreens)));

test('all screens, from nginx with HTTP/2', async (t) => {
  const host = await nginxHost(folder);
  if (!host) return t.skip('nginx is not installed');
  await hosted(host, () => visit(host, '', allScreens));
});

test('all screens, from files that are cut, on a host without ranges', () =>
  hosted(faultyHost(cut), async (host) => {
    host.how.ranges = false;
    await visit(host, '', allScreens);
  }));

test('a board that was solved phase by phase has the values of the command line', () =>
  hosted(sirvHost(folder), (host) =>
    visit(host, `#/${PHASES}`, async (page) => {
      await settled(page);
      const probed = JSON.parse(run('probe', PHASES, '--json', '--tables', join(room, 'tables-there')));
      const words = { win: 'Red wins', loss: 'Blue wins', draw: 'Draw' };
      assert.ok(
        (await verdict(page)).startsWith(words[probed.outcome]),
        `${probed.outcome}: ${await verdict(page)}`,
      );
      assert.equal((await page.locator('.turns button.turn').count()) > 0, true);
    }),
  ));

test('lost connections are retried', () =>
  hosted(faultyHost(folder), (host) => {
    host.how.cut = 2;
    return visit(
      host,
      '#/touchdown:4x4?turns=a1a2',
      async (page) => {
        await page.getByText('Red wins in 10 turns').first().waitFor();
        assert.equal(host.how.cut, 0);
      },
      { expected: [FETCH] },
    );
  }));

test('permanent failures are reported with a retry button', () =>
  hosted(faultyHost(folder), (host) =>
    visit(
      host,
      '#/touchdown:4x4',
      async (page) => {
        await settled(page);
        host.how.fail = 1000;
        // With its opening file, the game would not request anything.
        host.how.gone = 'openings/';
        await page.evaluate(() => (location.hash = '#/tactics:3x3/setup'));
        await page.evaluate(
          () => (location.hash = '#/pushfight:mini?position=.XO.Y..x.ox..o&to_move=second'),
        );
        await page.getByRole('button', { name: 'Try again' }).first().waitFor();
        assert.match(
          await page.getByRole('alert').first().textContent(),
          /The host answered 503 for “tables\//,
        );
        host.how.fail = 0;
        await page.getByRole('button', { name: 'Try again' }).first().click();
        await page.waitForFunction(() => !document.querySelector('[role=alert]'));
      },
      { expected: [FETCH] },
    ),
  ));

test('scripts and modules that could not be loaded can be loaded again', () =>
  hosted(faultyHost(folder), (host) =>
    visit(
      host,
      '#/',
      async (page) => {
        for (const [hash, gone] of [
          ['#/touchdown:4x4?turns=a1a2', 'worker-'],
          ['#/here:touchdown:3x3', '.wasm'],
          ['#/here:touchdown:3x4', 'worker-'],
        ]) {
          host.how.gone = gone;
          await page.evaluate((hash) => (location.hash = hash), hash);
          const again = page.getByRole('button', { name: 'Try again' }).first();
          await again.waitFor();
          host.how.gone = null;
          await again.click();
          await settled(page);
          assert.match(await verdict(page), /wins in \d+ turns/);
          assert.equal(await again.count(), 0);
        }
      },
      { expected: [FETCH] },
    ),
  ));

test('damaged files are named and not cached', () =>
  hosted(faultyHost(folder), (host) => {
    host.how.damage = 'values.rgt';
    return visit(
      host,
      '#/touchdown:4x4?turns=a1a2;d4d3',
      async (page) => {
        const alert = page.getByRole('alert').filter({ hasText: 'values.rgt' }).first();
        await alert.waitFor();
        assert.equal(await page.getByText(/wins in/).count(), 0, 'no value is shown');
        host.how.damage = null;
        await page.getByRole('button', { name: 'Try again' }).first().click();
        await page
          .getByText(/wins in/)
          .first()
          .waitFor();
      },
      { expected: [FETCH] },
    );
  }));

test('a site that is updated while a page is open says so', () =>
  hosted(faultyHost(folder), (host) =>
    visit(
      host,
      '#/',
      async (page) => {
        await page.getByRole('link', { name: 'Play' }).first().waitFor();
        // The site was updated.
        const other = join(room, 'other');
        run(
          'export',
          'site',
          'tactics:3x3',
          '--out',
          other,
          '--tables',
          join(room, 'tables-there'),
          ...module,
        );
        host.how.folder = other;
        await page.evaluate(() => (location.hash = '#/touchdown:4x4?turns=a1a2'));
        await page.getByRole('button', { name: 'Reload the page' }).first().waitFor();
        assert.match(
          await page.getByRole('alert').first().textContent(),
          /was updated while the page was open/,
        );
      },
      { expected: [FETCH] },
    ),
  ));

test('a game that the site does not have is solved by the full module', () =>
  hosted(faultyHost(folder), (host) =>
    visit(host, '#/touchdown:4x4?turns=a1a2', async (page) => {
      await settled(page);
      const modules = () => host.asked.filter((request) => request.includes('.wasm')).length;
      assert.equal(modules(), 1, 'a page loads one module');
      await page.evaluate(() => (location.hash = '#/here:touchdown:3x4'));
      await settled(page);
      assert.match(await verdict(page), /wins in \d+ turns/);
      assert.equal(modules(), 2);
    }),
  ));

test('only ranges of a large file are downloaded', () =>
  hosted(faultyHost(folder), (host) =>
    visit(host, `#/${LARGE}`, async (page) => {
      await settled(page);
      // The opening file has the values of the first turns.
      for (let turn = 1; turn <= 4; turn++) {
        await page.locator('.turns button.turn').first().click();
        await made(page, turn);
        await page.locator('.turns button.turn').first().waitFor();
      }
      const asked = host.asked.filter((request) => /touchdown_5x5.*values\.rgt/.test(request));
      assert.ok(asked.length > 0 && asked.every((request) => /bytes=/.test(request)), asked.join('; '));
      const bytes = asked
        .map((request) => /bytes=(\d+)-(\d+)/.exec(request))
        .reduce((sum, [, from, to]) => sum + (to - from + 1), 0);
      console.log(`${LARGE}, four turns: ${asked.length} requests, ${bytes} bytes of the table`);
      assert.ok(bytes < 1e6, `${bytes}`);
    }),
  ));

test('a large game opens with one file, and also without it', () =>
  hosted(faultyHost(folder), async (host) => {
    const seen = [];
    for (const gone of ['openings/', null]) {
      host.how.gone = gone;
      host.asked.length = 0;
      await visit(
        host,
        `#/${LARGE}?turns=a1a2`,
        async (page) => {
          await settled(page);
          const tables = host.asked.filter((request) => request.startsWith('tables/')).length;
          seen.push({ value: await verdict(page), tables });
        },
        { expected: [FETCH] },
      );
    }
    const [without, along] = seen;
    assert.equal(along.value, without.value);
    assert.ok(along.tables < without.tables, JSON.stringify(seen));
    console.log(
      `requests for tables: ${without.tables} without the file of the opening, ${along.tables} with it`,
    );
  }));

/** A copy of the site with the values of a game's start in a separate file, as for large boards. */
function withLongAnswer(name) {
  const copy = join(room, 'long');
  cpSync(folder, copy, { recursive: true });
  const read = (path) => JSON.parse(readFileSync(join(copy, path), 'utf8'));
  const index = read('site.json');
  const game = index.games.find(({ game }) => game === name);
  const ahead = read(game.ahead.path);
  const question = Object.keys(ahead).find((question) => question.startsWith('positions?'));
  const packed = gzipSync(JSON.stringify(ahead[question]));
  delete ahead[question];
  const path = 'ahead/long-0123.json.gz';
  game.answers = [{ question, path, bytes: packed.length }];
  writeFileSync(join(copy, path), packed);
  const text = JSON.stringify(ahead);
  writeFileSync(join(copy, game.ahead.path), text);
  game.ahead.bytes = Buffer.byteLength(text);
  writeFileSync(join(copy, 'site.json'), JSON.stringify(index));
  return copy;
}

test('a long precomputed answer does not need the module', async () => {
  const seen = [];
  for (const [site, gone] of [
    [withLongAnswer('pushfight:mini'), '.wasm'],
    [folder, null],
  ])
    await hosted(faultyHost(site), (host) => {
      host.how.gone = gone;
      const look = async (page) => seen.push(await verdict(page));
      return visit(host, '#/pushfight:mini', look, { expected: [FETCH] });
    });
  assert.equal(seen[0], seen[1]);
});

test('visited positions work offline', () =>
  hosted(faultyHost(folder), (host) =>
    visit(
      host,
      '#/pushfight:mini',
      async (page) => {
        await settled(page);
        const value = await verdict(page);
        await page.evaluate(() => navigator.serviceWorker.ready);
        // The service worker takes control on the next visit.
        await page.reload();
        await settled(page);
        await page.getByText(value).first().waitFor();
        await page.waitForTimeout(500);
        host.how.off = true;
        await page.reload();
        await settled(page);
        assert.equal(await verdict(page), value);
        host.how.off = false;
      },
      { serviceWorkers: 'allow', expected: [FETCH, 'ERR_', 'fetch'] },
    ),
  ));

test('a game that was opened once works offline', () =>
  hosted(faultyHost(folder), (host) =>
    visit(
      host,
      '#/touchdown:4x4',
      async (page) => {
        await settled(page);
        await page.evaluate(() => navigator.serviceWorker.ready);
        host.how.off = true;
        await page.reload();
        await settled(page);
        await page.locator('.turns button.turn').first().click();
        await made(page, 1);
        await settled(page);
        assert.equal(await verdict(page), 'Red wins in 10 turns');
        host.how.off = false;
      },
      { serviceWorkers: 'allow', expected: [FETCH, 'ERR_', 'fetch'] },
    ),
  ));

/** Holds back a host's answers for tables until the returned function is called. */
function held(host) {
  let release;
  host.how.held = new Promise((resolve) => (release = resolve));
  return () => {
    host.how.held = null;
    release();
  };
}

/** The puzzles in a game's file, by kind. */
function sampled(name) {
  const read = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
  const { kinds } = read(read('site.json').games.find(({ game }) => game === name).puzzles.path);
  return Object.fromEntries(kinds.map(({ kind, puzzles }) => [kind, puzzles]));
}

/** Visits a position whose values do not arrive until the returned function is called. */
async function valuesHeld(host, page) {
  await settled(page);
  const release = held(host);
  const [{ position }] = sampled('pushfight:mini').press;
  await page.evaluate((hash) => (location.hash = hash), `#/pushfight:mini?position=${position}`);
  return release;
}

test('turns can be previewed and played before their values arrive', () =>
  hosted(faultyHost(folder), (host) =>
    visit(host, '#/touchdown:4x4?turns=a1a2', async (page) => {
      const release = await valuesHeld(host, page);
      const coming = page.locator('.turns h3', { hasText: 'loading values' });
      const turns = page.locator('.turns button.turn');
      await coming.waitFor();
      assert.ok((await turns.count()) > 1, 'turns are listed');
      assert.equal(await page.getByRole('list', { name: 'Best turns' }).count(), 0, 'none is called best');
      // A turn under the pointer is previewed on the board.
      await turns.nth(1).hover();
      await page.locator('.stage .arrow').first().waitFor();
      await page.mouse.move(0, 0);
      // A turn is played before its value and the values of the next turns are loaded.
      await turns.first().click();
      await page.waitForFunction(() => document.querySelectorAll('.history button').length === 2);
      await coming.waitFor();
      // A picked piece stays picked when values arrive.
      const open = page.locator('.stage .cell.open');
      const name = await open.first().getAttribute('data-square');
      assert.equal(await open.first().getAttribute('data-outcome'), null, 'squares show no values');
      await open.first().click();
      const picked = page.locator('.stage [aria-selected=true]');
      await picked.waitFor();
      release();
      await settled(page);
      assert.equal(await coming.count(), 0);
      assert.equal(await picked.getAttribute('data-square'), name);
      await page.locator('.stage .cell.open[data-outcome]').first().waitFor();
      assert.match(await verdict(page), /wins|draw/);
    }),
  ));

test('the keyboard stays at its turn when values arrive', () =>
  hosted(faultyHost(folder), (host) =>
    visit(host, '#/touchdown:4x4?turns=a1a2', async (page) => {
      const release = await valuesHeld(host, page);
      await page.locator('.turns h3', { hasText: 'loading values' }).waitFor();
      await page.keyboard.press('Tab');
      await page.locator('.turns [tabindex="0"]').focus();
      await page.keyboard.press('ArrowRight');
      const turn = () => page.evaluate(() => document.activeElement.closest('.turns button')?.value);
      const before = await turn();
      assert.ok(before);
      release();
      await settled(page);
      await page.locator('.turns h3 .sign:not(.unknown)').first().waitFor();
      await page.locator('.turns button:focus').waitFor();
      const shown = page.locator(`.turns button[value="${before}"]`);
      if ((await shown.count()) > 0) assert.equal(await turn(), before);
      assert.equal(await page.locator('.turns [tabindex="0"]').count(), 1);
    }),
  ));

test('sampled puzzles of all kinds are correct', () => {
  const name = 'pushfight:mini';
  const kinds = sampled(name);
  assert.deepEqual(Object.keys(kinds), ['win', 'save', 'press']);
  for (const [kind, puzzles] of Object.entries(kinds)) assert.ok(puzzles.length > 0, kind);
  const [{ position, solution }] = kinds.press;
  const tables = join(room, 'tables-there');
  const probed = JSON.parse(run('probe', name, position, '--pressure', '--json', '--tables', tables));
  const tasks = probed.holding_turns.filter(({ holding, replies }) => holding === 1 && replies.all > 1);
  assert.deepEqual(
    tasks.map(({ turn }) => turn),
    [solution],
  );
});

test('on a slow connection the first board is shown before the module is loaded', () =>
  hosted(sirvHost(folder), (host) =>
    visit(host, '', async (page, context) => {
      const line = await context.newCDPSession(page);
      await line.send('Network.enable');
      await line.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 150,
        downloadThroughput: 1.6e6 / 8,
        uploadThroughput: 1.6e6 / 8,
      });
      const began = Date.now();
      await page.goto(`${host.url}?slow#/pushfight:mini`);
      await page.locator('.board').first().waitFor();
      const board = Date.now() - began;
      await verdict(page);
      const value = Date.now() - began;
      console.log(
        `first board after ${board / 1000} s, values after ${value / 1000} s at 1.6 Mbit/s and 150 ms`,
      );
      assert.equal((await page.locator('.board').count()) > 0, true);
    }),
  ));

/** The heap size and the number of nodes of a page, after garbage collection. */
async function heldByPage(line) {
  await line.send('HeapProfiler.collectGarbage');
  const { metrics } = await line.send('Performance.getMetrics');
  const metric = (wanted) => metrics.find(({ name }) => name === wanted).value;
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes') };
}

test('memory stays bounded over many positions', () =>
  hosted(sirvHost(folder), async (host) => {
    for (const game of ['pushfight:mini', PHASES])
      await visit(host, `#/${game}`, async (page, context) => {
        const line = await context.newCDPSession(page);
        await line.send('Performance.enable');
        await settled(page);
        await verdict(page);
        let [most, early] = [0, null];
        for (let at = 0; at < 40; at++) {
          const turn = page.locator('.turns button.turn').nth(at % 5);
          if ((await turn.count()) === 0) await page.keyboard.press('Home');
          else await turn.click();
          await settled(page);
          const { held, memory } = (await workers(page))[game] ?? { held: { held: 0, limit: 0 }, memory: 0 };
          assert.ok(held.held <= held.limit, JSON.stringify(held));
          most = Math.max(most, memory);
          if (at === 20) early = await heldByPage(line);
        }
        assert.ok(0 < most && most < 128 << 20, `the module has ${most} bytes of memory`);
        const late = await heldByPage(line);
        console.log(`${game}: after 20 turns ${JSON.stringify(early)}, after 40 ${JSON.stringify(late)}`);
        assert.ok(late.heap < early.heap + (16 << 20), `${early.heap} bytes became ${late.heap}`);
      });
  }));
