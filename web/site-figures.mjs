// Measures how soon a site is usable on a slow connection, what a visit downloads, and the memory for many positions:
//
//   CHROMIUM=… node site-figures.mjs FOLDER GAME POSITIONS [--slow] [--session N] [--memory N]
//
// FOLDER is a site, GAME one of its games, POSITIONS a file with one position per line. nginx serves the site over
// HTTP/2, and its log has the requests and bytes. `--slow` opens the game at 1.6 Mbit/s and 150 ms with an empty cache.
// `--session N` visits N positions on a fast connection, and some of them again. `--memory N` visits N positions in a
// browser without tools and measures the memory of the tab. `--each` prints every request.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { bareBrowser } from './bare-browser.mjs';
import { knowsRules } from './tests/site.mjs';
import { nginxHost } from './tests/static-host.mjs';

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slow: { type: 'boolean' },
    session: { type: 'string' },
    each: { type: 'boolean' },
    memory: { type: 'string' },
  },
});
const [folder, game, list] = positionals;
const positions = readFileSync(list, 'utf8').split('\n').filter(Boolean);

const host = await nginxHost(folder, { log: true });
if (!host) throw new Error('nginx is not installed');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', `--ignore-certificate-errors-spki-list=${host.key}`],
});

/** Opens an empty page in a browser with an empty cache. */
async function opened({ slow }) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
  });
  await knowsRules(context);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  if (slow)
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1.6e6 / 8,
      uploadThroughput: 1.6e6 / 8,
    });
  return { context, page, line };
}

const at = (position) => `#/${game}${position ? `?position=${encodeURIComponent(position)}` : ''}`;

/** Opens an address; returns the seconds until its board and until its values are shown. */
async function gone(page, address, go) {
  const began = performance.now();
  await go(address);
  await page.waitForFunction(
    (hash) =>
      location.hash === hash && document.querySelector('.board') && !document.querySelector('.stage.stale'),
    new URL(address, host.url).hash,
  );
  const board = performance.now() - began;
  await page.getByTestId('verdict').filter({ hasNotText: '…' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.stage.loading'));
  const values = performance.now() - began;
  return { board: board / 1000, values: values / 1000 };
}

const told = ({ board, values }) => `board ${board.toFixed(2)} s, values ${values.toFixed(2)} s`;
const hop = (page) => (address) =>
  page.evaluate((hash) => (location.hash = hash), new URL(address, host.url).hash);

/** The requests and bytes since the last call. */
function loaded() {
  const lines = host.log();
  const bytes = lines.reduce((sum, { bytes }) => sum + bytes, 0);
  if (asked.each) {
    const [first] = lines;
    for (const { time, bytes, path, range } of lines)
      console.log(`    ${(time - first.time).toFixed(2)} s ${bytes} ${path} ${range === '-' ? '' : range}`);
  }
  return `${lines.length} requests, ${bytes} bytes`;
}

if (asked.slow) {
  for (const position of [null, ...positions.slice(0, 1)]) {
    const { context, page } = await opened({ slow: true });
    loaded();
    const cold = await gone(page, host.url + at(position), (address) => page.goto(address));
    console.log(`cold, ${position ?? 'the start'}: ${told(cold)}; ${loaded()}`);
    const others = positions.slice(3, 6);
    for (const other of others) {
      const next = await gone(page, host.url + at(other), hop(page));
      console.log(`  then ${other}: ${told(next)}; ${loaded()}`);
    }
    const back = await gone(page, host.url + at(others[0]), hop(page));
    console.log(`  again ${others[0]}: ${told(back)}; ${loaded()}`);
    await page.waitForTimeout(6000);
    loaded();
    const again = await gone(page, host.url + at(others[0]), () => page.reload());
    console.log(`  loaded again: ${told(again)}; ${loaded()}`);
    await context.close();
  }
}

const count = Number(asked.session ?? 0);
if (count > 0) {
  const { context, page } = await opened({ slow: false });
  loaded();
  const begin = await gone(page, host.url + at(positions[0]), (address) => page.goto(address));
  console.log(`the first position: ${told(begin)}; ${loaded()}`);
  const [seconds, seen, each] = [[], [], []];
  for (let number = 1; number < count; number++) {
    const position = positions[number % positions.length];
    const there = await gone(page, host.url + at(position), hop(page)).catch(async (error) => {
      const { innerText } = await page.evaluate(() => ({ innerText: document.body.innerText.slice(0, 600) }));
      throw new Error(`position ${number}, ${position}: ${error.message}\n${innerText}`);
    });
    seconds.push(there.values);
    const lines = host.log();
    each.push({ requests: lines.length, bytes: lines.reduce((sum, { bytes }) => sum + bytes, 0) });
    // Goes back to the previous position and returns: both are cached.
    if (number % 2 === 0) {
      const before = positions[(number - 1) % positions.length];
      seen.push((await gone(page, host.url + at(before), hop(page))).values);
      seen.push((await gone(page, host.url + at(position), hop(page))).values);
    }
  }
  console.log(`${count - 1} further positions: values after ${spread(seconds, 's')}`);
  console.log(`  seen before: values after ${spread(seen, 's')}`);
  for (const what of ['requests', 'bytes']) {
    const all = each.map((one) => one[what]);
    const sum = all.reduce((sum, one) => sum + one, 0);
    console.log(`  ${what}: ${sum} in all, mean ${(sum / all.length).toFixed(1)}, ${spread(all, '')}`);
  }
  await context.close();
}
await browser.close();

/** The median, the 95th percentile and the maximum. */
function spread(all, unit) {
  const sorted = all.toSorted((a, b) => a - b);
  const text = (value) => `${unit === 's' ? value.toFixed(2) : value}${unit && ` ${unit}`}`;
  const [middle, late] = [0.5, 0.95].map((share) => sorted[Math.floor(sorted.length * share)] ?? 0);
  return `${text(middle)} (median), 95 % within ${text(late)}, at most ${text(sorted.at(-1) ?? 0)}`;
}

if (asked.memory) {
  const bare = await bareBrowser(process.env.CHROMIUM, host.key);
  await bare.page('Page.addScriptToEvaluateOnNewDocument', {
    source: `if (location.protocol !== 'about:') localStorage.setItem('retrograde:rules-seen', '["pushfight"]')`,
  });
  await bare.page('Page.navigate', { url: host.url + at(positions[0]) });
  const there = (hash) =>
    bare.until(`location.hash === ${JSON.stringify(hash)} && document.querySelector('.board')
      && !document.querySelector('.stage.loading')
      && !(document.querySelector('[data-testid=verdict]')?.textContent ?? '…').includes('…')`);
  await there(new URL(host.url + at(positions[0])).hash);
  for (let number = 1; number < Number(asked.memory); number++) {
    const { hash } = new URL(host.url + at(positions[number % positions.length]));
    await bare.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await there(hash);
    if (number % 100 !== 99 && number !== 1) continue;
    const { heap, workers, nodes, listeners, process, own } = await bare.memory();
    const site = JSON.parse(await bare.evaluate('document.documentElement.dataset.site'));
    const { held, memory } = Object.values(site)[0];
    const mega = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
    console.log(
      `after ${number + 1}: page ${mega(heap)}, workers ${workers.map(mega).join(' + ')}, ${nodes} nodes, ${listeners} listeners; module ${mega(memory)}, including files ${mega(held.held)}; process ${mega(process)}, its own ${mega(own)}`,
    );
  }
  await bare.close();
}
host.close();
