// The other screens, and properties of all screens: addresses, errors, small screens, dark colours, accessibility.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { history, made, settled, site, square, verdict } from './site.mjs';

let here;
before(async () => (here = await site(['--prefix', '/retrograde'])));
after(() => here.close());

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
test('an address has the game, the position, the turns and the place in them', async () => {
  let address;
  await here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    for (const [from, to] of [
      ['a1', 'a2'],
      ['d4', 'd3'],
      ['b1', 'b2'],
    ]) {
      await square(page, from).click();
      await square(page, to).click();
      await page.waitForTimeout(50);
      await settled(page);
    }
    await made(page, 3);
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Red wins in 9 turns').waitFor();
    await page.waitForFunction(() => location.hash.includes('at=2'));
    address = await page.evaluate(() => location.hash);
  });
  assert.equal(address, '#/touchdown:4x4?turns=a1a2;d4d3;b1b2&at=2');
  await here.visit(address, async (page) => {
    await made(page, 3);
    assert.equal(await verdict(page), 'Red wins in 9 turns');
    assert.match(await history(page).nth(2).textContent(), /d4d3/);
  });
});

test('a position is set up by palette, checked, and analysed', () =>
  here.visit(
    '#/touchdown:4x4/setup',
    async (page) => {
      await square(page, 'a1').waitFor();
      await page.getByRole('button', { name: 'Clear board' }).click();
      await page.getByRole('button', { name: 'Analyse' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Red pawn').check({ force: true });
      await square(page, 'b3').click();
      await page.getByLabel('Blue pawn').check({ force: true });
      for (const name of ['c4', 'a4', 'a4']) await square(page, name).click();
      await page.getByRole('radio', { name: 'Blue', exact: true }).check();
      await page.getByRole('button', { name: 'Analyse' }).click();
      await page.getByText('Blue wins in 1 turn').waitFor();
      assert.match(await page.evaluate(() => location.hash), /position=.*to_move=second/);
      assert.match(await square(page, 'c4').getAttribute('aria-label'), /c4, Blue pawn/);
      assert.match(await square(page, 'b3').getAttribute('aria-label'), /b3, Red pawn/);
    },
    { expected: ['400'] },
  ));

test('a position is typed row by row, and printed without the controls', () =>
  here.visit('#/touchdown:4x4/setup', async (page) => {
    await square(page, 'a1').waitFor();
    await page.getByRole('textbox', { name: 'row by row' }).fill('OOO.\n...O/\n....\nXXXX');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('textarea').value === 'OOO./...O/..../XXXX');
    assert.match(await square(page, 'd3').getAttribute('aria-label'), /Blue pawn/);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.palette', '.controls', 'textarea'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    assert.ok(await page.getByRole('heading', { name: 'To move' }).isVisible());
  }));

test('Push Fight is set up with the anchor, as text, and with colours swapped', () =>
  here.visit(
    '#/pushfight:mini/setup',
    async (page) => {
      await square(page, 'b1').waitFor();
      await page.getByLabel('The board, row by row from the top').fill('O.');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('alert').waitFor();
      for (const [piece, names] of [
        ['Red pusher', ['b1', 'b2']],
        ['Red pawn', ['c1', 'c2']],
        ['Blue pusher', ['e1']],
        ['Blue pawn', ['e2', 'd3']],
        ['Blue pusher with the anchor', ['e3']],
      ]) {
        await page.getByLabel(piece, { exact: true }).check({ force: true });
        for (const name of names) await square(page, name).click();
      }
      const text = page.getByLabel('The board, row by row from the top');
      assert.equal(await text.inputValue(), '..xY/.Oo.x./Oo.X');
      // Rows as the command line draws them, with coordinates.
      await text.fill('3  ..xY\n2 .Oo.x.\n1  Oo.X\n  abcdef');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.waitForFunction(() => document.querySelector('textarea').value === '..xY/.Oo.x./Oo.X');
      await page.getByRole('button', { name: 'Swap colours' }).click();
      assert.equal(await text.inputValue(), '..oP/.Xx.o./Xx.O');
      assert.ok(await page.getByRole('radio', { name: 'Blue', exact: true }).isChecked());
      await page.getByRole('button', { name: 'Analyse' }).click();
      await settled(page);
      await page.getByText('Blue to move.').waitFor();
      assert.match(await square(page, 'e3').getAttribute('aria-label'), /Red pusher with the anchor/);
    },
    { expected: ['400'] },
  ));

test('a board that is being set up survives reloading, sharing and the way back', () =>
  here.visit(
    '#/touchdown:4x4?turns=a1a2;d4d3',
    async (page) => {
      await settled(page);
      await page.getByRole('link', { name: 'Set up' }).click();
      await square(page, 'a1').waitFor();
      const shown = await page.evaluate(() => location.hash);
      await page.getByLabel('Blue pawn', { exact: true }).check({ force: true });
      await square(page, 'b3').click();
      const board = 'OOO./.O.O/X.../.XXX';
      const same = async (board) => {
        await page.waitForFunction((board) => document.querySelector('textarea')?.value === board, board);
        assert.match(await square(page, 'b3').getAttribute('aria-label'), /Blue pawn/);
        assert.ok(await page.getByRole('radio', { name: 'Blue', exact: true }).isChecked());
      };
      await page.getByRole('radio', { name: 'Blue', exact: true }).check();
      await same(board);
      const address = await page.evaluate(() => location.hash);
      assert.equal(address, `#/touchdown:4x4/setup?board=${board}&to_move=second`);
      await page.reload();
      await same(board);
      await here.visit(address, async (other) => {
        await other.waitForFunction((board) => document.querySelector('textarea')?.value === board, board);
      });
      // It may be illegal.
      await page.getByRole('button', { name: 'Clear board' }).click();
      await page.getByLabel('Blue pawn', { exact: true }).check({ force: true });
      await square(page, 'b3').click();
      await page.getByRole('button', { name: 'Analyse' }).click();
      await page
        .getByRole('alert')
        .getByText(': Red has just moved, so it needs at least one pawn.')
        .waitFor();
      await page.reload();
      await same('..../.O../..../....');
      await page.getByLabel('Red pawn', { exact: true }).check({ force: true });
      await square(page, 'c2').click();
      await page.getByRole('button', { name: 'Analyse' }).click();
      assert.equal(await verdict(page), 'Blue wins in 1 turn');
      await page.goBack();
      await same('..../.O../..X./....');
      await page.getByRole('button', { name: 'Starting position' }).click();
      await page.waitForFunction(() => location.hash === '#/touchdown:4x4/setup');
      assert.match(shown, /setup\?position=/);
    },
    { expected: ['400'] },
  ));

test('a board of another size, and one that does not exist', () =>
  here.visit(
    '#/touchdown:4x4/setup',
    async (page) => {
      await page.getByLabel('Columns x rows').fill('3x3');
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await page.waitForFunction(() => document.querySelectorAll('[data-square]').length === 9);
      await page.getByRole('link', { name: 'Play' }).click();
      await page.getByText('Blue wins in 6 turns').waitFor();
      await page.evaluate(() => (location.hash = '#/nothing:4x4'));
      await page.getByRole('alert').getByText('The games are').waitFor();
      await page.evaluate(() => (location.hash = '#/touchdown:3x3?position=OO&turns=%'));
      await page.getByRole('alert').waitFor();
    },
    { expected: ['404', '400'] },
  ));

test('the numbers of a game, with examples of every depth', () =>
  here.visit('#/touchdown:4x4/numbers', async (page) => {
    await page.getByText('755,591').waitFor();
    await page.locator('.chart canvas').waitFor();
    assert.match(await page.locator('tbody tr', { hasText: /^13/ }).textContent(), /2/);
    await page.getByRole('button', { name: '8 lost in 12 turns' }).click();
    await page.getByRole('heading', { name: /lost in 12 turns/ }).waitFor();
    const samples = () => page.locator('.samples code').allTextContents();
    const first = await samples();
    await page.getByRole('button', { name: 'Show others' }).click();
    await page.waitForFunction(() => !document.querySelector('section[aria-busy=true]'));
    const others = await samples();
    assert.notDeepEqual(others, first);
    await page.locator('.samples a').first().click();
    await page.getByText('Blue wins in 12 turns').waitFor();
    // The chosen numbers are still chosen on the way back, and after reloading, with the same examples.
    for (const back of [() => page.goBack(), () => page.reload()]) {
      await back();
      await page.getByRole('heading', { name: /lost in 12 turns/ }).waitFor();
      assert.deepEqual(await samples(), others);
      assert.equal(await page.locator('td.here').textContent().then(Number), 8);
    }
  }));

test('turns that no position has are left out of the address of numbers', async () => {
  for (const [query, heading] of [
    ['outcome=draw&depth=3', 'Positions drawn'],
    ['outcome=win&depth=99', 'Positions won'],
    ['outcome=win&depth=3', 'Positions won in 3 turns'],
  ])
    await here.visit(`#/pushfight:mini/numbers?${query}`, async (page) => {
      await page.locator('.samples a').first().waitFor();
      const text = await page.locator('#samples').evaluate((heading) => heading.firstChild.textContent);
      assert.equal(text.trim(), heading);
    });
});

test('the numbers include draws, with a legend, and are offered as CSV', () =>
  here.visit('#/pushfight:mini/numbers', async (page) => {
    await page.locator('.legend').getByText('won').waitFor();
    assert.match(await page.locator('.legend').textContent(), /^\s*won\s+lost\s+drawn\s*$/);
    // They are in no column of a number of turns.
    const draws = page.locator('table').getByRole('button', { name: '104,908 drawn: show some' });
    assert.equal(await draws.textContent(), '104,908 drawn');
    await draws.click();
    await page.getByRole('heading', { name: 'Positions drawn' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'pushfight-mini-numbers.csv');
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    assert.equal(lines[0], 'outcome,turns,positions');
    assert.ok(lines.includes('win,17,116') && lines.includes('draw,,104908'), lines.join());
  }));

test('the numbers of an unsolved game show known results and the cost of solving, without an error', async () => {
  await here.visit('#/touchdown:5x5/numbers', async (page) => {
    await page.locator('pre', { hasText: 'retrograde solve touchdown:5x5' }).waitFor();
    await page.getByText(/Solving takes about .* of memory/).waitFor();
    await page.getByRole('link', { name: 'TouchDown 4 × 4' }).waitFor();
  });
  await here.visit('#/pushfight:standard/numbers', async (page) => {
    await page.getByText(/Published result: .*draw/).waitFor();
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Push Fight');
  });
  // A game that cannot be solved.
  await here.visit('#/tactics:7x9/numbers', async (page) => {
    await page.getByText('too large to solve').waitFor();
    const text = await page.locator('main').textContent();
    assert.ok(!text.includes('retrograde solve') && !text.includes('`'), text);
    await page.getByRole('link', { name: 'Play anyway' }).click();
    await settled(page);
  });
});

test('truncated lists and notes about files are shown', async () => {
  /** Adds fields to answers with matching addresses. */
  const add = (page, address, fields) =>
    page.route(address, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...fields } });
    });
  const cut = 'There are more turns than are listed here.';
  await here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    assert.equal(await page.getByText(cut).count(), 0);
    await add(page, '**/positions?**', { incomplete: true });
    await page.reload();
    await page.getByText(cut).waitFor();
  });
  await here.visit('#/touchdown:4x4', async (page) => {
    await add(page, '**/stats**', { notes: ['shades.rgs is damaged'] });
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByText('shades.rgs is damaged').waitFor();
  });
});

test('a mistyped name leads to a suggestion, and alternative names work', async () => {
  await here.visit(
    '#/touchdwn:4x4',
    async (page) => {
      await page.getByRole('heading', { name: 'There is no game called “touchdwn:4x4”' }).waitFor();
      assert.ok(!(await page.locator('main').textContent()).includes('`'));
      assert.equal(await page.getByRole('link', { name: 'Numbers' }).count(), 0);
      await page.getByRole('link', { name: 'TouchDown 4 × 4' }).click();
      await settled(page);
      assert.equal(await verdict(page), 'Red wins in 11 turns');
    },
    { expected: ['404'] },
  );
  for (const [name, game] of [
    ['TOUCHDOWN:4x4', 'touchdown:4x4'],
    ['push%20fight:mini', 'pushfight:mini'],
  ]) {
    await here.visit(`#/${name}`, async (page) => {
      await page.waitForFunction((game) => location.hash === `#/${game}`, game);
      await settled(page);
    });
  }
});

test('a game is loaded, marked and saved', () =>
  here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await settled(page);
      await page.getByText('Save or load', { exact: true }).click();
      const field = page.getByLabel(/Paste a game/);
      assert.equal(await field.getAttribute('placeholder'), 'For example: 1. a1a2');
      await field.fill('# a game\n1. b1b2?\nd4d3\nzz\n');
      await page.getByRole('button', { name: 'Load' }).click();
      await page.getByRole('alert').getByText('turn 3').waitFor();
      await field.fill('b1b2\nd4d3\n');
      await page.getByRole('button', { name: 'Load' }).click();
      await made(page, 2);
      assert.match(await history(page).nth(1).textContent(), /b1b2\?/);
      // It is a turn to begin with, also later in the game.
      assert.equal(await field.getAttribute('placeholder'), 'For example: 1. b1b2');
      await page.getByRole('button', { name: 'Undo load' }).click();
      await made(page, 0);
      await field.fill('b1b2\nd4d3\n');
      await page.getByRole('button', { name: 'Load' }).first().click();
      await made(page, 2);
      assert.match(
        await page.getByLabel('Save this game').inputValue(),
        /^# touchdown:4x4\n# coordinates: board\nb1b2\? {2}# Red threw .*\nd4d3\? {2}# /,
      );
      await page.getByText('Share', { exact: true }).click();
      for (const [name, kind] of [
        ['SVG', 'image/svg+xml'],
        ['PNG', 'image/png'],
        ['GIF of the game', 'image/gif'],
      ]) {
        const link = await page.getByRole('link', { name }).getAttribute('href');
        const response = await fetch(link);
        assert.equal(`${response.status} ${response.headers.get('content-type')}`, `200 ${kind}`);
      }
    },
    { expected: ['400'] },
  ));

test('errors in positions name the players, and a board that Red has just won can be set up', async () => {
  const show = async (page, board) => {
    await page.getByLabel('The board, row by row from the top').fill(board);
    await page.getByRole('button', { name: 'Show' }).click();
  };
  const says = (page, text) => page.getByRole('alert').getByText(text).waitFor();
  const expected = { expected: ['400'] };
  await here.visit(
    '#/touchdown:4x4/setup',
    async (page) => {
      await square(page, 'a1').waitFor();
      await show(page, '..../OOOO/.OX./....');
      await says(page, ': 5 Blue pawns, but at most 4 are possible.');
      await show(page, '.X../.O../.X../....');
      await says(page, ': a Red pawn on its last row has already won, so Red cannot be to move.');
      await page.getByRole('radio', { name: 'Blue', exact: true }).check();
      await page.getByRole('button', { name: 'Analyse' }).click();
      assert.equal(await verdict(page), 'Red has won');
      await page.goBack();
      await square(page, 'a1').waitFor();
      await show(page, '..../.O../.X../.O..');
      await says(page, ': a Blue pawn on its last row has already won, so Blue cannot be to move.');
      // The letters themselves are wrong.
      await show(page, '..../.?../.X../....');
      await says(page, 'one of “X”, “O” or “.”');
    },
    expected,
  );
  await here.visit(
    '#/pushfight:mini/setup',
    async (page) => {
      await square(page, 'a2').waitFor();
      await show(page, 'OO........xYX.');
      await says(page, '; found 2 Red pushers, no Red pawns, 2 Blue pushers, and 1 Blue pawn.');
    },
    expected,
  );
  await here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await settled(page);
      await page.getByText('Save or load', { exact: true }).click();
      for (const [mover, player] of [
        ['red', 'Blue'],
        ['blue', 'Red'],
      ]) {
        await page.getByLabel(/Paste a game/).fill(`# from ..../.X../..../....\n# to move: ${mover}\nb3b4\n`);
        await page.getByRole('button', { name: 'Load' }).click();
        await says(page, `: ${player} has just moved, so it needs at least one pawn.`);
      }
    },
    expected,
  );
});

test('the squares of a pasted game are all named on the board, or all as the mover sees them', () =>
  here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await settled(page);
      await page.getByText('Save or load', { exact: true }).click();
      const load = async (text) => {
        await page.getByLabel(/Paste a game/).fill(text);
        await page.getByRole('button', { name: 'Load', exact: true }).click();
      };
      const game = async () =>
        (await history(page).allTextContents()).slice(1).map((turn) => /[a-d]\d[a-d]\d/.exec(turn)[0]);
      // Blue's own b1b2 would be legal.
      await load('a1a2\nd4d3\nb1b2\nb1b2\n');
      await page.getByRole('alert').getByText('Turn 4 “b1b2”: it is not a turn on this board.').waitFor();
      assert.equal(await history(page).count(), 1);
      const same = ['a1a2', 'd4d3', 'b1b2', 'c4c3'];
      for (const text of [
        'a1a2\nd4d3\nb1b2\nc4c3\n',
        'a1a2\na1a2\nb1b2\nb1b2\n',
        '1. a1a2 d4d3\n2. b1b2 c4c3\n',
      ]) {
        await load(text);
        await made(page, 4);
        assert.deepEqual(await game(), same, text);
        await page.getByRole('button', { name: 'Undo load' }).click();
        await made(page, 0);
        // A server that is too slow for a whole game is asked for parts of it.
        await page.route('**/annotate', (route) =>
          route.request().postDataJSON().turns.length > 1
            ? route.fulfill({
                status: 503,
                json: { type: 'urn:retrograde:problem:time', detail: 'too slow' },
              })
            : route.continue(),
        );
        await load(text);
        await made(page, 4);
        assert.deepEqual(await game(), same, text);
        await page.getByRole('button', { name: 'Undo load' }).click();
        await made(page, 0);
        if (text.startsWith('1.')) {
          await load('1. a1a2 d4d3\n2. b1b2 zz\n');
          await page.getByRole('alert').getByText('Turn 4 “zz”: found').waitFor();
        }
        await page.unroute('**/annotate');
      }
    },
    { expected: ['400', '503'] },
  ));

const SCREENS = [
  '',
  '#/touchdown:4x4?turns=a1a2;d4d3',
  '#/touchdown:4x4?turns=b1b2(c1c2;a4a3);d4d3&opponent=iris&you=second',
  '#/touchdown:4x4?turns=b1b2;b4b3&opponent=iris&end=resigned',
  '#/touchdown:6x6',
  '#/pushfight:mini?turns=O:a2,b1 o:b2,c1;X:d1,d2 x:d3,e3',
  '#/tactics:3x3',
  '#/pushfight:mini/setup',
  '#/touchdown:4x4/numbers',
  '#/touchdown:4x4/puzzles',
];

test('axe finds no problems, light and dark', async () => {
  for (const hash of SCREENS) {
    await here.visit(hash, async (page) => {
      await page.locator('.board').first().waitFor();
      await page.waitForTimeout(400);
      await page.evaluate(AXE);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const { passes, violations } = await page.evaluate(() =>
          globalThis.axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }),
        );
        const problems = violations.map(
          ({ id, help, nodes }) =>
            `${id}: ${help}: ${nodes
              .slice(0, 3)
              .map((node) => node.html)
              .join(' ')}`,
        );
        assert.deepEqual(problems, [], `${hash}, ${colorScheme}`);
        assert.ok(passes.length > 0);
      }
    });
  }
});

test('nothing is wider than a small screen', async () => {
  for (const hash of SCREENS) {
    await here.visit(
      hash,
      async (page) => {
        await page.locator('.board').first().waitFor();
        await page.waitForTimeout(300);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${hash}: ${wide} pixels too wide`);
      },
      { viewport: { width: 340, height: 700 }, hasTouch: true },
    );
  }
});

test('on a phone, everything is large enough to touch', async () => {
  for (const hash of ['', '#/touchdown:4x4/puzzles', '#/touchdown:4x4/numbers', '#/touchdown:5x5/numbers']) {
    await here.visit(
      hash,
      async (page) => {
        await page.locator('main .board, main pre').first().waitFor();
        await page.waitForTimeout(900);
        for (const summary of await page.locator('main summary:visible').all()) await summary.click();
        await page.waitForTimeout(300);
        const small = await page
          .locator('main :is(button, .button, select, summary, li > a, label:has(> input[type=radio]))')
          .evaluateAll((all) =>
            all
              .filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < 39.9)
              .map((it) => `${it.textContent.trim()}: ${it.getBoundingClientRect().height}`),
          );
        assert.deepEqual(small, [], hash);
      },
      { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    );
  }
});

test('dark colours by the system, and by choice', () =>
  here.visit(
    '',
    async (page) => {
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(await ground(), 'rgb(21, 23, 28)');
      const button = page.getByRole('button', { name: /colours: change/ });
      await button.click();
      await button.click();
      assert.equal(await ground(), 'rgb(251, 250, 248)');
      await page.reload();
      assert.equal(await ground(), 'rgb(251, 250, 248)');
    },
    { colorScheme: 'dark' },
  ));

test('the prefix without a slash redirects to the page', async () => {
  const response = await fetch(here.url.replace(/\/$/, ''));
  assert.equal(response.url, here.url);
  assert.match(await response.text(), /<div id="page">/);
});
