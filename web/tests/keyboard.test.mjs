// The keyboard and screen readers: few and named tab stops, whole tasks by keyboard, focus, announcements, and contrast of
// hovered buttons.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { ask, made, settled, site, square, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const MINI = 'pushfight:mini,pushers=1,pawns=1';
/** A game whose turns fill the list. */
const LONG = 'a1a2;a4a3;b1b2;b4b3;c1c2;c4c3;d1d2;d4d3;a2b3;c3b2';
/** Red, on e2, can push the pawn on f2 off the board. */
const EJECTS = `#/${MINI}?position=........Ox.Y.o`;

/** The focused element: its name and its square, or null if nothing has the focus. */
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    if (!element || element === document.body) return null;
    const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent;
    const name = (label ?? element.textContent ?? '').trim() || element.title || '';
    const list = element.closest('.turns, .history')?.classList[0] ?? null;
    return { name, square: element.dataset?.square ?? null, tag: element.tagName, list };
  });

/** Presses Tab until `wanted` has the focus; fails after `most` stops. */
async function tabTo(page, most, wanted) {
  const names = [];
  for (let stops = 1; stops <= most; stops++) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (now && wanted(now)) return now;
    names.push(now?.name ?? 'nothing');
  }
  return assert.fail(`not reached with ${most} stops: ${names.join(' | ')}`);
}

/** Moves over the board to a square and chooses it. */
async function choose(page, to) {
  const { square: from } = await focused(page);
  assert.ok(from, 'the board keeps the focus');
  const steps = (by, way, back) => Array(Math.abs(by)).fill(by > 0 ? way : back);
  const keys = [
    ...steps(to.charCodeAt(0) - from.charCodeAt(0), 'ArrowRight', 'ArrowLeft'),
    ...steps(Number(to[1]) - Number(from[1]), 'ArrowUp', 'ArrowDown'),
  ];
  for (const key of keys) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
}

/** All tab stops, each of which needs a name. */
async function tabStops(page) {
  const stops = [];
  while (stops.length < 100) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (!now || (stops.length > 0 && now.name === stops[0].name)) break;
    stops.push(now);
  }
  assert.deepEqual(
    stops.filter(({ name }) => name === ''),
    [],
  );
  return stops;
}

test('the home screen has few tab stops, and none is a square', () =>
  here.visit('', async (page) => {
    await page.locator('.family .board').first().waitFor();
    await page.waitForLoadState('networkidle');
    const stops = await tabStops(page);
    assert.deepEqual(
      stops.filter(({ tag }) => tag === 'g'),
      [],
    );
    assert.ok(stops.length <= 40, `${stops.length} stops`);
  }));

for (const [screen, hash, list] of [
  ['exploring', '#/pushfight:mini', '.turns button'],
  ['a long game', `#/touchdown:4x4?turns=${LONG}`, '.history button'],
  ['a set of puzzles', '#/touchdown:4x4/puzzles?kind=win&depth=3&count=20&seed=1', '.set ol button'],
  ['numbers', '#/pushfight:mini/numbers', '.numbers td button'],
])
  test(`${screen} has few tab stops, since a list is one`, () =>
    here.visit(hash, async (page) => {
      await page.locator(list).nth(9).waitFor();
      await page.waitForLoadState('networkidle');
      const stops = await tabStops(page);
      assert.ok(stops.length <= 30, `${stops.length} stops`);
      const reached = page.locator(list).and(page.locator('[tabindex="0"]'));
      assert.equal(await reached.count(), 1);
    }));

/** Waits until turns are listed. */
const listed = (page) => page.locator('.turns button').nth(1).waitFor();
const inTurns = ({ tag, list }) => tag === 'BUTTON' && list === 'turns';

test('arrow keys go through the turns, in rows and to the ends, and not through the game', () =>
  here.visit('#/touchdown:4x4?turns=a1a2;d4d3', async (page) => {
    await made(page, 2);
    await listed(page);
    const hash = await page.evaluate(() => location.hash);
    const names = await page.locator('.turns button').allTextContents();
    const after = async (key) => {
      await page.keyboard.press(key);
      return (await focused(page)).name;
    };
    await tabTo(page, 30, inTurns);
    assert.equal(await after('ArrowRight'), names[1]);
    await page.locator('.stage .arrow').first().waitFor();
    assert.equal(await after('End'), names.at(-1));
    assert.equal(await after('ArrowRight'), names.at(-1));
    const place = () => page.evaluate(() => document.activeElement.getBoundingClientRect().top);
    const low = await place();
    assert.notEqual(await after('ArrowUp'), names.at(-1));
    assert.ok((await place()) < low);
    await page.keyboard.press('ArrowDown');
    assert.equal(await place(), low);
    assert.equal(await after('Home'), names[0]);
    assert.equal(await after('ArrowLeft'), names[0]);
    // Tab leaves the list, and comes back to the same turn.
    await page.keyboard.press('ArrowRight');
    assert.ok(!inTurns(await after('Tab').then(() => focused(page))));
    assert.equal(await after('Shift+Tab'), names[1]);
    assert.equal(await page.evaluate(() => location.hash), hash);
    // After a click, the same key goes back in the game.
    await page.locator('.turns h3').first().click();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((before) => location.hash !== before, hash);
  }));

test('the keyboard stays in the list of turns after a turn, also while the next ones load', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await listed(page);
    await page.route('**/positions?**', async (route) => {
      await new Promise((done) => setTimeout(done, 600));
      await route.continue();
    });
    await tabTo(page, 30, inTurns);
    for (let turn = 1; turn <= 2; turn++) {
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.locator('.turns button').first().waitFor({ state: 'detached' });
      await made(page, turn);
      await page.locator('.turns button:focus').waitFor();
      const [first] = await page.locator('.turns button').allTextContents();
      assert.equal((await focused(page)).name, first);
    }
    // The focus is not taken back from another place.
    await page.keyboard.press('Enter');
    await page.locator('.turns button').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Hint' }).focus();
    await made(page, 3);
    await page.waitForTimeout(100);
    assert.equal((await focused(page)).name, 'Hint');
  }));

test('by keyboard, “more” goes on to the first of the turns that it shows', () =>
  here.visit('#/pushfight:mini', async (page) => {
    await listed(page);
    const draws = page.locator('.turns section').first();
    const shown = await draws.locator('button.turn').count();
    await tabTo(page, 30, inTurns);
    while (!/more$/.test((await focused(page)).name)) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await draws.locator('button.turn').nth(shown).waitFor();
    await page.waitForFunction(() => !/more$/.test(document.activeElement.textContent));
    const names = await draws.locator('button.turn').allTextContents();
    assert.equal((await focused(page)).name, names[shown]);
    await page.keyboard.press('ArrowLeft');
    assert.equal((await focused(page)).name, names[shown - 1]);
  }));

test('in the tree, up and down show positions, and the focus follows the game', () =>
  here.visit('#/touchdown:4x4?turns=a1a2(b1b2;a4a3);d4d3', async (page) => {
    await settled(page);
    const name = async () => (await focused(page)).name.replaceAll(/\s+/g, ' ');
    await tabTo(page, 30, ({ list }) => list === 'history');
    assert.match(await name(), /^2\. d4d3/);
    await page.keyboard.press('ArrowUp');
    assert.match(await name(), /^2\. a4a3/);
    await page.waitForFunction(() => document.activeElement.ariaCurrent === 'step');
    await settled(page);
    assert.match(await square(page, 'a3').getAttribute('aria-label'), /Blue pawn/);
    assert.match(await name(), /^2\. a4a3/);
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => /d4d3/.test(document.activeElement.textContent));
    await settled(page);
    assert.match(await square(page, 'd3').getAttribute('aria-label'), /Blue pawn/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => /b1b2/.test(document.activeElement.textContent));
  }));

test('a whole game of TouchDown by keyboard, with few tab stops', () =>
  here.visit('#/touchdown:3x3', async (page) => {
    await settled(page);
    await tabTo(page, 10, ({ square }) => square !== null);
    let turn = 0;
    for (; ; turn++) {
      await settled(page);
      if (/has won/.test(await verdict(page))) break;
      assert.ok(turn < 12);
      const text = await page.locator('.turns button.turn').first().textContent();
      for (const name of text.match(/[a-z]\d/g)) await choose(page, name);
      await made(page, turn + 1);
    }
    assert.ok(turn > 2);
  }));

test('a puzzle by keyboard, and the next one', async () => {
  const { puzzles } = await ask(here.url, 'games/touchdown:4x4/puzzles?kind=win&turns=7&seed=3&limit=1');
  const [{ position, solution }] = puzzles;
  await here.visit(
    `#/touchdown:4x4/puzzles?position=${encodeURIComponent(position)}&kind=win`,
    async (page) => {
      await page.getByTestId('task').waitFor();
      await settled(page);
      await tabTo(page, 10, ({ square }) => square !== null);
      for (const name of solution.match(/[a-z]\d/g)) await choose(page, name);
      await page.getByTestId('answer').getByText('Blue replied').waitFor();
      await tabTo(page, 4, ({ name }) => name === 'Next puzzle');
      const before = await page.evaluate(() => location.hash);
      await page.keyboard.press('Enter');
      await page.waitForFunction((before) => location.hash !== before, before);
      await page.waitForLoadState('networkidle');
      assert.ok(await focused(page), 'the focus is kept');
    },
  );
});

test('a position is set up by keyboard', () =>
  here.visit('#/touchdown:4x4/setup', async (page) => {
    await square(page, 'a1').waitFor();
    await tabTo(page, 9, ({ name }) => name === 'Red pawn');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 1, ({ square }) => square !== null);
    await choose(page, 'b3');
    assert.match(await square(page, 'b3').getAttribute('aria-label'), /Blue pawn/);
    await choose(page, 'a4');
    assert.match(await square(page, 'a4').getAttribute('aria-label'), /empty/);
    await tabTo(page, 6, ({ name }) => name === 'Analyse');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.match(await square(page, 'b3').getAttribute('aria-label'), /Blue pawn/);
  }));

test('pushes are announced and drawn in their direction', () =>
  here.visit(EJECTS, async (page) => {
    await settled(page);
    const label = (name) => square(page, name).getAttribute('aria-label');
    const ways = () =>
      page
        .locator('.table .pushes')
        .evaluateAll((all) => [...new Set(all.map((one) => one.lastElementChild.getAttribute('transform')))]);
    assert.match(await label('e2'), /Red pusher.*can push$/);
    assert.deepEqual(await ways(), ['rotate(0)']);
    await square(page, 'e2').click();
    assert.match(await label('f2'), /pawn.*can be pushed$/);
    assert.deepEqual(await ways(), ['rotate(0)']);
    await page.keyboard.press('f');
    assert.deepEqual(await ways(), ['rotate(180)']);
  }));

test('a hint is announced', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    await page.getByRole('button', { name: 'Hint' }).click();
    await page
      .getByTestId('status')
      .getByText(/^Hint: [a-d]\d[a-d]\d\.$/)
      .waitFor();
    await square(page, 'a1').click();
    await page
      .getByTestId('status')
      .getByText(/Choose a destination/)
      .waitFor();
  }));

test('the focus returns when the rules close', async () => {
  await here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    const button = page.getByRole('button', { name: 'Rules' });
    await button.click();
    await page.getByRole('dialog').waitFor();
    await page.getByRole('button', { name: 'Got it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal((await focused(page)).name, 'Rules');
    await tabTo(page, 12, ({ square }) => square !== null);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.ok((await focused(page)).square, 'the board has the focus again');
  });
  await here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await page.getByRole('dialog').waitFor();
      await page.getByRole('button', { name: 'Got it' }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      assert.equal((await focused(page))?.tag, 'MAIN');
    },
    { firstVisit: true },
  );
});

test('on a phone in landscape, the link to the home screen has a name', () =>
  here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await settled(page);
      await page.getByRole('link', { name: 'Retrograde', exact: true }).waitFor();
    },
    { viewport: { width: 844, height: 390 } },
  ));

test('hovered buttons and links have enough contrast, light and dark', async () => {
  const all = [];
  for (const hash of [
    '',
    '#/touchdown:4x4',
    '#/touchdown:4x4/puzzles',
    '#/touchdown:4x4/numbers',
    '#/touchdown:4x4/setup',
  ])
    await here.visit(hash, async (page) => {
      await page.locator('.board').first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.evaluate(AXE);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const seen = new Set();
        for (const one of await page.locator('button:enabled:visible, a:not(.skip):visible').all()) {
          // One of each kind is enough.
          const kind = await one.evaluate((element) =>
            [
              element.tagName,
              element.className,
              element.closest('[class]:not(button, a)')?.className,
              element.ariaPressed,
              element.ariaDisabled,
              element.getAttribute('aria-current'),
            ].join(' '),
          );
          if (seen.has(kind)) continue;
          seen.add(kind);
          await one.hover({ force: true });
          const faults = await one.evaluate(async (element) => {
            const { violations } = await globalThis.axe.run(element, { runOnly: ['color-contrast'] });
            return violations.flatMap(({ nodes }) =>
              nodes.map((node) => `${node.html}: ${node.any[0]?.message}`),
            );
          });
          all.push(...faults.map((fault) => `${hash}, ${colorScheme}: ${fault}`));
        }
      }
    });
  assert.deepEqual(all, []);
});
