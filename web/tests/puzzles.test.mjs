// Puzzles: answers, refutations, addresses, and messages if there are none.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, settled, site, square, win } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const GAME = 'touchdown:4x4';
const task = (page) => page.getByTestId('task').textContent();
const answer = (page) => page.getByTestId('answer');
const addressOf = (game, position, kind) => `#/${game}/puzzles?position=${position}&kind=${kind}`;

/** The pieces on the board, square by square. */
const pieces = (page) =>
  page
    .locator('.puzzles .cell')
    .evaluateAll((cells) =>
      Object.fromEntries(cells.map((cell) => [cell.dataset.square, cell.ariaLabel.split(', ')[1]])),
    );

/** Plays a turn whose text lists its squares. */
async function play(page, turn) {
  await page.waitForFunction(() => document.querySelectorAll('.cell.open').length > 0);
  for (const name of turn.match(/[a-z]\d/g)) await square(page, name).click();
}

/** A puzzle of seven turns with its worst turn and its right one. */
async function sevenTurns() {
  const { puzzles } = await ask(
    here.url,
    `games/${GAME}/puzzles?kind=win&turns=7&random=true&seed=3&limit=1`,
  );
  const { position } = puzzles[0];
  const { turns_available: turns } = await ask(here.url, `games/${GAME}/positions?position=${position}`);
  return { position, right: turns[0], wrong: turns.at(-1) };
}

test('a wrong answer is refuted on the board and in words, without giving the solution away', async () => {
  const { position, right, wrong } = await sevenTurns();
  await here.visit(addressOf(GAME, position, 'win'), async (page) => {
    await page.getByText('Red to play and win in 7 turns. Find the only winning turn').waitFor();
    await play(page, wrong.turn);
    await answer(page).getByText(`Not ${wrong.turn}.`).waitFor();
    await answer(page).getByText('That turns a win into a loss: ').waitFor();
    // The board shows the position after the reply, seen by the first player.
    const after = `games/${GAME}/positions?position=${wrong.position}&to_move=second`;
    const [reply] = (await ask(here.url, after)).turns_available;
    const how =
      reply.turns === 1
        ? `${reply.turn_on_board} wins immediately`
        : `Blue wins in ${reply.turns} turns with ${reply.turn_on_board}`;
    await answer(page).getByText(how).waitFor();
    await settled(page);
    const { squares } = await ask(here.url, `games/${GAME}/view?position=${reply.position}`);
    const names = { X: 'Red pawn', O: 'Blue pawn' };
    const expected = Object.fromEntries(
      squares.map(({ name, piece }) => [name, piece ? names[piece.letter] : 'empty']),
    );
    assert.deepEqual(await pieces(page), expected);
    assert.ok(!(await answer(page).textContent()).includes(right.turn_on_board));
    await page.getByRole('button', { name: 'Try again' }).click();
    await win(page, here.url, GAME, position);
    await answer(page)
      .getByText(/^\s*Correct: Red wins with .*\.$/)
      .waitFor();
    await page.getByTestId('progress').getByText('0 of 1 solved').waitFor();
    await page.reload();
    await page.getByTestId('progress').getByText('0 of 1 solved').waitFor();
    await page.getByRole('button', { name: 'Show solution' }).click();
    await page.locator('.arrow').waitFor();
  });
});

test('the task counts down to the win', async () => {
  const { position } = await sevenTurns();
  await here.visit(addressOf(GAME, position, 'win'), async (page) => {
    await settled(page);
    // Notes each task that is shown.
    await page.evaluate(() => {
      globalThis.tasks = [];
      const note = () => {
        const text = document.querySelector('[data-testid=task]').textContent.trim();
        if (globalThis.tasks.at(-1) !== text) globalThis.tasks.push(text);
      };
      note();
      const changes = new MutationObserver(note);
      changes.observe(document.querySelector('.puzzles'), {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    await win(page, here.url, GAME, position);
    await answer(page)
      .getByText(/^\s*Correct! /)
      .waitFor();
    assert.deepEqual(await page.evaluate(() => globalThis.tasks), [
      'Red to play and win in 7 turns. Find the only winning turn.',
      'Red to play and win in 5 turns. Find a fastest win.',
      'Red to play and win in 3 turns. Find a fastest win.',
      'Red to play and win in 1 turn. Find a fastest win.',
      'Red has won in 7 turns.',
    ]);
  });
});

test('a random puzzle has an address that opens it again', () =>
  here.visit(`#/${GAME}/puzzles`, async (page) => {
    await settled(page);
    await page.waitForFunction(() => /puzzles\?position=.*&kind=win/.test(location.hash));
    const [asked, board] = [await task(page), await pieces(page)];
    for (let times = 0; times < 3; times++) {
      await page.reload();
      await settled(page);
      assert.equal(await task(page), asked);
      assert.deepEqual(await pieces(page), board);
    }
    const address = page.url();
    await page.getByRole('button', { name: 'Next puzzle' }).click();
    await page.waitForFunction((before) => location.href !== before, address);
    await page.evaluate((before) => (location.href = before), address);
    await page.waitForFunction((before) => location.href === before, address);
    await page.getByTestId('task').getByText(asked).waitFor();
  }));

test('without a puzzle there is a message and other choices, but no error', async () => {
  // Many turns win at the start, so it is not a puzzle.
  await here.visit(addressOf(GAME, 'OOOO/..../..../XXXX', 'win'), async (page) => {
    await page.getByTestId('notice').getByText('This position is not a puzzle').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('button', { name: 'Next puzzle' }).click();
    await page.getByText('Find the only winning turn').waitFor();
  });
  await here.visit('#/pushfight:mini,pushers=1,pawns=1/puzzles', async (page) => {
    await page.getByText('Find the only winning turn').waitFor();
    await page.getByLabel('Hold the draw').check({ force: true });
    await page.getByTestId('notice').getByText('No drawn position').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('button', { name: 'Find the win' }).click();
    await page.getByText('Find the only winning turn').waitFor();
  });
});

test('each offered depth has a puzzle', () =>
  here.visit('#/tactics:3x3/puzzles', async (page) => {
    const { depths } = await ask(here.url, 'games/tactics:3x3/puzzles/depths?kind=win');
    assert.ok(depths.length > 1, String(depths));
    await page.getByLabel('Depth').waitFor();
    const values = await page
      .getByLabel('Depth')
      .locator('option')
      .evaluateAll((options) => options.map((option) => option.value));
    assert.deepEqual(values, ['', ...depths.map(String)]);
    for (const depth of depths) {
      await page.getByLabel('Depth').selectOption(String(depth));
      await page.getByText(`Red to play and win in ${depth} turns. Find the only winning turn`).waitFor();
    }
  }));

test('placement puzzles accept any best placement', async () => {
  const game = 'pushfight:mini';
  const position = '....Xx....Xx..';
  const { turns_available: turns } = await ask(
    here.url,
    `games/${game}/positions?position=${position}&to_move=second`,
  );
  await here.visit(`#/${game}/puzzles?position=${position}&to_move=second&kind=place`, async (page) => {
    await page.getByText('Place Blue’s pieces to hold out longest.').waitFor();
    assert.ok(await page.getByLabel('Placements').isChecked());
    await play(page, turns.at(-1).turn);
    await answer(page).getByText(/^Not /).waitFor();
    await answer(page).getByText('That loses faster than necessary').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await settled(page);
    await play(page, turns[1].turn);
    await answer(page).getByText('No placement is better').waitFor();
  });
});

test('a first-try solution extends the streak, with an animation unless motion is reduced', async () => {
  const { position } = await sevenTurns();
  for (const reducedMotion of ['no-preference', 'reduce']) {
    await here.visit(
      addressOf(GAME, position, 'win'),
      async (page) => {
        await win(page, here.url, GAME, position);
        await answer(page)
          .getByText(/^\s*Correct! /)
          .waitFor();
        await page.getByTestId('progress').getByText('1 of 1 solved').waitFor();
        assert.equal(await page.locator('.burst').isVisible(), reducedMotion === 'no-preference');
      },
      { reducedMotion },
    );
  }
});

test('an unsolved game offers other games instead of an error', () =>
  here.visit('#/touchdown:5x5/puzzles', async (page) => {
    await page.getByRole('heading', { name: 'TouchDown 5 × 5 is not solved here' }).waitFor();
    await page.getByRole('link', { name: 'TouchDown 4 × 4' }).click();
    await page.getByText('Find the only winning turn').waitFor();
  }));

test('the only turn that holds a draw is asked for in drawn positions, a delay in lost ones', () =>
  here.visit('#/pushfight:mini/puzzles?kind=save', async (page) => {
    for (let times = 0; times < 3; times++) {
      await page.getByText('Red to play. Find the only turn that holds the draw.').waitFor();
      const before = page.url();
      await page.getByRole('button', { name: 'Next puzzle' }).click();
      await page.waitForFunction((before) => location.href !== before, before);
      await settled(page);
    }
    await page.getByLabel('Hold out longest').check({ force: true });
    await page.getByText('Red is losing. Find the turn that holds out longest.').waitFor();
  }));

test('a set of puzzles is the same for everyone, keeps count, and is printed with solutions', async () => {
  let made;
  await here.visit(`#/${GAME}/puzzles`, async (page) => {
    await page.getByTestId('task').waitFor();
    await page.getByLabel('Depth').selectOption('3');
    await page.getByText('Red to play and win in 3 turns').waitFor();
    const panel = page.getByTestId('set');
    await panel.getByLabel('Puzzles').selectOption('5');
    await panel.getByRole('button', { name: 'Make a set' }).click();
    await panel.getByRole('heading', { name: 'A set of 5' }).waitFor();
    made = await page.evaluate(() => location.hash);
    assert.match(made, /puzzles\?kind=win&depth=3&count=5&seed=\d+$/);
    await settled(page);
    const first = await pieces(page);
    await page.getByRole('button', { name: 'Show solution' }).click();
    await panel.getByRole('button', { name: 'Puzzle 1, missed' }).waitFor();
    for (let number = 2; number <= 5; number++) {
      await page.getByRole('button', { name: 'Next puzzle' }).click();
      await panel.locator('[aria-current]').getByText(String(number)).waitFor();
    }
    await page.getByRole('button', { name: 'Next puzzle' }).click();
    await page.getByTestId('notice').getByText('You solved 0 of 5 on the first try.').waitFor();

    await here.visit(made, async (other) => {
      await other.getByRole('heading', { name: 'A set of 5' }).waitFor();
      await settled(other);
      assert.deepEqual(await pieces(other), first);
      await other.emulateMedia({ media: 'print' });
      const sheet = other.getByTestId('sheet');
      assert.equal(await sheet.locator('li .board').count(), 5);
      await sheet.getByText('Solutions').waitFor();
      assert.equal(await other.locator('.puzzles').isVisible(), false);
    });
  });
});

test('a set remembers the place and the marks: after exploring, reloading, and in another tab', () =>
  here.visit(`#/${GAME}/puzzles?kind=win&depth=3&count=5&seed=1`, async (page) => {
    const missed = async (page) => {
      await page.getByTestId('set').getByRole('button', { name: 'Puzzle 2, missed' }).waitFor();
      await page.getByTestId('set').locator('[aria-current]').getByText('2').waitFor();
      await page.getByTestId('set').getByRole('button', { name: 'Puzzle 1, missed' }).waitFor();
      await page.getByTestId('task').waitFor();
    };
    await page.getByRole('button', { name: 'Show solution' }).click();
    await page.getByRole('button', { name: 'Next puzzle' }).click();
    await page.getByTestId('set').locator('[aria-current]').getByText('2').waitFor();
    await page.getByRole('button', { name: 'Show solution' }).click();
    await missed(page);
    const board = await pieces(page);
    await page.getByRole('link', { name: 'Explore' }).click();
    await page.locator('.play .board').first().waitFor();
    const other = await page.context().newPage();
    for (const back of [
      () => page.goBack().then(() => page),
      () => page.reload().then(() => page),
      () => other.goto(page.url()).then(() => other),
    ]) {
      const shown = await back();
      await missed(shown);
      await settled(shown);
      assert.deepEqual(await pieces(shown), board);
    }
    // The result of a set is there again too.
    for (let number = 3; number <= 5; number++) {
      await page.getByRole('button', { name: 'Next puzzle' }).click();
      await page.getByTestId('set').locator('[aria-current]').getByText(String(number)).waitFor();
    }
    await page.getByRole('button', { name: 'Next puzzle' }).click();
    await page.getByTestId('notice').getByText('You solved 0 of 5').waitFor();
    await page.reload();
    await page.getByTestId('notice').getByText('You solved 0 of 5').waitFor();
  }));

test('a missed puzzle of a set stays missed if it is solved later', () =>
  here.visit(`#/${GAME}/puzzles?kind=win&depth=1&count=5&seed=1`, async (page) => {
    await page.getByRole('button', { name: 'Show solution' }).click();
    const solution = await answer(page)
      .getByText(/^\s*The solution is/)
      .textContent();
    const score = page.getByTestId('progress').getByText('0 of 1 solved');
    await score.waitFor();
    const missed = page.getByTestId('set').getByRole('button', { name: 'Puzzle 1, missed' });
    for (const open of [() => missed.click(), () => page.reload()]) {
      await open();
      await missed.waitFor();
      await settled(page);
      await play(page, solution);
      await answer(page)
        .getByText(/^\s*Correct! /)
        .waitFor();
      await score.waitFor();
      await missed.waitFor();
    }
  }));

// A server gives at most 20 puzzles at once.
test('a set has as many puzzles as it says, of every kind', async () => {
  for (const [kind, count] of [
    ['win', 30],
    ['save', 10],
    ['delay', 10],
  ])
    await here.visit(`#/${GAME}/puzzles?kind=${kind}&count=${count}&seed=1`, async (page) => {
      await page
        .getByTestId('set')
        .getByRole('heading', { name: `A set of ${count}` })
        .waitFor();
    });
});

test('ratings move towards the rating of the puzzles that one solves', async () => {
  const { position } = await sevenTurns();
  await here.visit(addressOf(GAME, position, 'win'), async (page) => {
    const shown = async () => {
      const text = await page.getByTestId('progress').textContent();
      return text
        .match(/Your rating: (\d+), this puzzle: (\d+)/)
        .slice(1)
        .map(Number);
    };
    await page.getByTestId('progress').getByText('this puzzle:').waitFor();
    const [own, puzzle] = await shown();
    assert.equal(own, 1200);
    await win(page, here.url, GAME, position);
    await answer(page)
      .getByText(/^\s*Correct! /)
      .waitFor();
    const expected = Math.round(own + 40 * (1 - 1 / (1 + 10 ** ((puzzle - own) / 400))));
    assert.deepEqual(await shown(), [expected, puzzle]);
  });
});

test('a solved puzzle shows its themes, which lead to more puzzles of each', async () => {
  const themes = (page) => page.getByTestId('themes').getByRole('link');
  const { position } = await sevenTurns();
  await here.visit(addressOf(GAME, position, 'win'), async (page) => {
    await settled(page);
    assert.equal(await themes(page).count(), 0);
    await page.getByRole('button', { name: 'Show solution' }).click();
    await themes(page).first().waitFor();
    assert.deepEqual(await themes(page).allTextContents(), ['Find the win', 'Win in 7']);
    await themes(page).last().click();
    // The chosen theme is part of the address, also for the next puzzle and after reloading.
    for (const act of [
      () => {},
      () => page.getByRole('button', { name: 'Next puzzle' }).click(),
      () => page.reload(),
    ]) {
      await act();
      await page.waitForFunction(() => /puzzles\?position=[^&]+&kind=win&depth=7$/.test(location.hash));
      await page.getByText('Red to play and win in 7 turns.').waitFor();
      assert.equal(await page.getByLabel('Depth').inputValue(), '7');
    }
  });
});
