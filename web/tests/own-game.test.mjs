// The page of a third-party game, whose program is compiled to WebAssembly. The tests use the games of
// crates/retrograde-classics, which does not include the games of `retrograde`.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { knowsRules, made, newPage, settled, verdict } from './site.mjs';

const GAME = 'dodgem:3x3';
const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(dirname(process.env.RETROGRADE), 'retrograde-classics');
const skip = existsSync(program) ? false : 'retrograde-classics was not built';

let folder, browser, module;
const run = (...words) =>
  spawnSync(program, [...words, '--tables', folder], { cwd: folder, encoding: 'utf8' });

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'retrograde-'));
  // Build speed matters more than size here. Packages that a profile names keep their optimisation level
  // unless it is overridden for each.
  const named = readFileSync(join(root, 'Cargo.toml'), 'utf8')
    .split('[profile.page.package]')[1]
    .split('\n[')[0];
  const packages = [...named.matchAll(/^[\w-]+(?= = )/gm)].map(([name]) => `package.${name}.opt-level=0`);
  const quick = ['lto=false', 'opt-level=0', 'codegen-units=16', ...packages].flatMap((option) => [
    '--config',
    `profile.page.${option}`,
  ]);
  const target = ['--target', 'wasm32-unknown-unknown', '--target-dir', join(root, 'target', 'own-page')];
  execFileSync(
    'cargo',
    ['build', '--quiet', '--profile', 'page', '-p', 'retrograde-classics', ...target, ...quick],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  module = join(root, 'target/own-page/wasm32-unknown-unknown/page/retrograde-classics.wasm');
  assert.equal(run('solve', GAME).status, 0);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('a module that is missing, invalid or of another game is rejected', { skip }, () => {
  const refused = (module, reason) => {
    const { status, stderr } = run(
      'export',
      GAME,
      '--format',
      'html',
      '--out',
      'page.html',
      '--module',
      module,
    );
    assert.deepEqual([status, reason.test(stderr)], [1, true], stderr);
  };
  refused('missing.wasm', /cannot read the module/);
  refused(program, /not a WebAssembly module.*cargo build/s);
  const altered = (name, from, to) => {
    const bytes = Buffer.from(readFileSync(module));
    for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at);
    const file = join(folder, name);
    writeFileSync(file, bytes);
    return file;
  };
  refused(altered('other.wasm', 'retrograde_ask', 'another_thing_'), /not a module of a Retrograde program/);
  refused(altered('old.wasm', 'retrograde module 1', 'retrograde module 0'), /another version of Retrograde/);
  refused(
    altered('alone.wasm', 'retrograde module with', 'retrograde module less'),
    /without the feature `solving`/,
  );
  refused(altered('rules.wasm', 'retrograde game: rules 0', 'retrograde game: rules 9'), /different rules/);
});

test('the module of another game is found next to its program and played from a file', { skip }, async () => {
  // The module is found next to the program.
  const beside = join(folder, 'mine');
  copyFileSync(program, beside);
  copyFileSync(module, `${beside}.wasm`);
  const file = join(folder, 'page.html');
  execFileSync(beside, ['export', GAME, '--format', 'html', '--out', file, '--tables', folder]);
  const probe = JSON.parse(
    execFileSync(beside, ['probe', GAME, '--json', '--tables', folder], { encoding: 'utf8' }),
  );

  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, offline: true });
  await knowsRules(context);
  const page = await newPage(context);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => /^(file|data|blob):/.test(request.url()) || complaints.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  const dialog = page.getByRole('button', { name: 'Got it' });
  await dialog.click();
  await settled(page);
  const winner = probe.outcome === 'win' ? 'Red' : 'Blue';
  assert.equal(await verdict(page), `${winner} wins in ${probe.turns} turns`);
  await page.locator('.turns button.turn').first().click();
  await made(page, 1);
  await page.getByRole('link', { name: 'Numbers' }).click();
  await page.locator('.samples li').first().waitFor();
  await page.getByRole('link', { name: 'Puzzles' }).click();
  await page.getByText('Find the only winning turn').waitFor();
  await page.getByRole('link', { name: 'Set up' }).click();
  await page.getByRole('grid').first().waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});
