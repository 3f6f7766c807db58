// Games against an opponent: the choices before the first move, what is hidden until the end, the result, resigning,
// draws, rematches and unfinished games.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, history, made, newGame, open, settled, site, square, verdict } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const panel = (page) => page.locator('.panel.opponent');
const card = (page) => page.getByTestId('match');
const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
const bottomRow = (page) =>
  page.locator('.stage .cell').evaluateAll((cells) =>
    cells
      .map((cell) => ({ name: cell.dataset.square, y: cell.getBoundingClientRect().y }))
      .sort((a, b) => b.y - a.y)
      .map(({ name }) => name)
      .at(0),
  );

/** Starts a game and shows values, which are hidden at first. */
async function begin(page, opponent, side = 'Red') {
  await settled(page);
  await newGame(page, { opponent, side });
  await settled(page);
  await page.keyboard.press('v');
}

/** Plays a turn by its two squares. */
async function play(page, turn) {
  for (const name of turn.match(/[a-z]\d/g)) await square(page, name).click();
}

test('the opponent answers a turn that was taken back and played again', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await begin(page, 'Iris');
    const turn = await page.locator('.turns button.turn.win').first().textContent();
    const again = page.locator('.turns button.turn').getByText(turn, { exact: true });
    await again.click();
    await made(page, 2);
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.waitForFunction(() => location.hash.includes('at=0'));
    await settled(page);
    assert.equal(await page.getByText(/^Blue played/).count(), 0);
    await again.click();
    // It may choose another turn that is as good.
    await page.getByText(/^Blue played/).waitFor();
  }));

test('the opponent answers in the middle of a game after a reload, and elsewhere if it is asked', () =>
  here.visit('#/touchdown:4x4?turns=a1a2(d1d2;a4a3);d4d3;b1b2&at=3&opponent=iris', async (page) => {
    const reply = page.getByRole('button', { name: 'Let Iris reply' });
    const replied = () =>
      page
        .getByTestId('status')
        .getByText(/Blue played/)
        .waitFor();
    // After a look back, the opponent waits.
    await made(page, 5);
    await page.keyboard.press('ArrowLeft');
    await reply.waitFor();
    await page.reload();
    await reply.waitFor();
    await page.waitForTimeout(800);
    assert.match(await hash(page), /&at=2&/);
    await reply.click();
    await replied();
    assert.equal(await reply.count(), 0);

    // A turn that was played again is answered.
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.waitForFunction(() => location.hash.includes('at=0'));
    await settled(page);
    await page.route('**/positions**', async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue();
    });
    await play(page, 'a1a2');
    await page.waitForFunction(() => location.hash.includes('at=1'));
    await page.reload();
    await replied();
  }));

test('a perfect opponent wins on schedule and punishes mistakes', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await begin(page, 'Iris');
    for (let turn = 1; turn <= 11; turn += 2) {
      await page.locator('.turns button.turn.win').first().click();
      if (turn < 11) await made(page, turn + 1);
    }
    await page.getByText('Red has won').first().waitFor();
    await card(page).getByText('You won').waitFor();
    await card(page).getByText('You made no mistakes.').waitFor();
    assert.equal(await history(page).count(), 12);

    // A turn that is played afterwards continues the game: it becomes a variation, and the opponent replies.
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await settled(page);
    await card(page).getByText('You won').waitFor();
    await page.locator('.turns button.turn.loss').first().click();
    await made(page, 13);
    assert.match(await verdict(page), /Blue wins in 1[01] turns/);
    assert.match(await page.getByRole('list', { name: 'Variation' }).textContent(), /\?/);
    assert.match(
      await page.getByTestId('accuracy').textContent(),
      /Red\s*0 of \d+\s+turns? kept.*1 win missed/s,
    );
    assert.doesNotMatch(await page.getByTestId('accuracy').textContent(), /Blue/);
  }));

test('the visitor does not move for the opponent', () =>
  here.visit('#/touchdown:4x4?turns=b1b2&opponent=mila&you=second', async (page) => {
    await settled(page);
    // No earlier position is the visitor's.
    assert.ok(await page.getByRole('button', { name: 'Take back' }).isDisabled());
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await settled(page);
    await play(page, 'd1d2');
    await settled(page);
    assert.match(await hash(page), /turns=b1b2&/);
    await page.getByRole('button', { name: 'Last', exact: true }).click();
    await settled(page);
    await play(page, 'a4a3');
    await made(page, 3);
  }));

test('with Blue, the board is turned and the opponent moves first', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await begin(page, 'Iris', 'Blue');
    await made(page, 1);
    assert.equal(await verdict(page), 'Red wins in 10 turns');
    assert.match(await bottomRow(page), /4$/);
    assert.match(await hash(page), /opponent=iris&you=second/);
    // The address opens the same game, and the opponent continues.
    await page.reload();
    await made(page, 1);
    assert.match(await bottomRow(page), /4$/);
    await play(page, 'a4a3');
    await made(page, 3);
    await panel(page).getByText('You (Blue) against Iris').waitFor();
  }));

test('the home page offers a new game with all choices, and by keyboard', () =>
  here.visit('', async (page) => {
    const button = page.getByRole('button', { name: 'New game' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New game' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.ok(await button.evaluate((element) => element === document.activeElement));
    await page.keyboard.press('Enter');
    await dialog.locator('select').selectOption('touchdown:3x3');
    await dialog.getByRole('radio', { name: 'A random position that you can win' }).check();
    await dialog.getByRole('radio', { name: 'Otto' }).check({ force: true });
    await dialog.getByRole('radio', { name: 'Blue', exact: true }).check();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await panel(page).getByText('You (Blue) against Otto').waitFor();
    await settled(page);
    assert.match(await hash(page), /^#\/touchdown:3x3\?position=.*&to_move=second&opponent=otto&you=second$/);
    await page.keyboard.press('v');
    assert.match(await verdict(page), /Blue wins in/);
    // The choices are remembered.
    await page.keyboard.press('n');
    assert.ok(await dialog.getByRole('radio', { name: 'Otto' }).isChecked());
  }));

test('the home page offers games that are not solved here, after the others', () =>
  here.visit('', async (page) => {
    await page.getByRole('button', { name: 'New game' }).click();
    const dialog = page.getByRole('dialog', { name: 'New game' });
    const games = dialog.locator('select');
    assert.match(await games.locator('option').first().getAttribute('value'), /^touchdown:/);
    assert.ok((await games.locator('optgroup[label="Not solved here"] option').count()) > 5);
    await dialog.getByRole('radio', { name: 'A random position that you can win' }).check();
    await games.selectOption({ label: 'Push Fight' });
    await dialog.getByText('This game is not solved here, so').waitFor();
    assert.equal(await dialog.getByRole('radio', { name: 'A random position' }).count(), 0);
    await dialog.getByRole('button', { name: 'Start' }).click();
    await panel(page).getByText('You (Red) against').waitFor();
    assert.match(await hash(page), /^#\/pushfight:standard\?opponent=/);
    await panel(page).getByText('This game is not solved here, so').waitFor();
  }));

test('values, marks, comments and graph are hidden until the user asks or the game ends', () =>
  here.visit('#/touchdown:4x4?opponent=mila', async (page) => {
    await settled(page);
    await play(page, 'b1b2');
    await made(page, 2);
    const check = async (shown) => {
      assert.equal((await verdict(page)) !== 'Values are hidden', shown);
      const marks = (await page.locator('.history .mark').allTextContents()).join('');
      assert.equal(marks.includes('?'), shown, marks);
      assert.equal((await page.getByTestId('comments').textContent()).includes('threw'), shown);
      for (const told of ['.advantage', '.turns', '.best', '[data-testid=accuracy]'])
        assert.equal((await page.locator(told).count()) > 0, shown, told);
      const title = await history(page).nth(1).getAttribute('title');
      assert.equal(title !== null, shown);
      const record = await page.getByLabel('Save this game').inputValue();
      assert.equal(/threw|wins|loses/.test(record), shown, record);
      assert.equal(/b1b2/.test(record), true);
    };
    await check(false);
    await page.getByRole('button', { name: 'Best line' }).click({ force: true });
    await page.getByTestId('status').getByText('which are hidden').waitFor();
    await page.getByRole('button', { name: 'Values', exact: true }).click();
    await page.locator('.best').waitFor();
    await check(true);
    await page.keyboard.press('v');
    await check(false);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.locator('.best').waitFor();
    const told = await page.locator('main').textContent();
    assert.match(told, /threw the win away/);
  }));

test('with values off, comments, marks and graph are hidden without an opponent, too', () =>
  here.visit('#/touchdown:4x4?turns=b1b2;d4d3', async (page) => {
    await made(page, 2);
    await page.getByTestId('comments').getByText('threw the win away').waitFor();
    await page.keyboard.press('v');
    await page.getByText('Values are hidden').waitFor();
    assert.equal(await page.getByTestId('comments').textContent(), '');
    assert.equal(await page.locator('.advantage, .mistakes').count(), 0);
    assert.doesNotMatch((await history(page).allTextContents()).join(' '), /\?/);
  }));

test('resigning ends the game: verdict and result agree, and only the own turns are counted', () =>
  here.visit('#/touchdown:4x4?opponent=nora', async (page) => {
    await settled(page);
    await play(page, 'b1b2');
    await made(page, 2);
    await page.getByRole('button', { name: 'Resign' }).click();
    const check = async () => {
      await card(page).getByText('Nora won').waitFor();
      assert.equal(await verdict(page), 'Blue has won');
      assert.match(await card(page).textContent(), /You resigned\..*You made 1 mistake\./s);
      assert.doesNotMatch(await page.getByTestId('status').textContent(), /to move/);
      assert.equal(await page.locator('.mistake').count(), 1);
      assert.doesNotMatch(await page.getByTestId('accuracy').textContent(), /Blue/);
    };
    await check();
    await page.locator('.mistake').first().waitFor();
    // The card is on the screen, with the board.
    const { y, height } = await card(page).boundingBox();
    assert.ok(y + height <= 900, `${y + height}`);
    await page.reload();
    await check();
    await page.waitForTimeout(800);
    assert.equal(await history(page).count(), 3, 'the opponent has stopped');

    // It is taken back.
    await card(page).getByRole('button', { name: 'Play on' }).click();
    await page.getByText('Values are hidden').waitFor();
    await play(page, 'c1c2');
    await made(page, 4);
    assert.equal(await card(page).textContent(), '');
  }));

test('resigning removes the hint, and without a turn there is nothing to judge', () =>
  here.visit('#/touchdown:4x4?opponent=nora', async (page) => {
    await settled(page);
    await page.keyboard.press('h');
    await page.getByTestId('status').getByText('Hint:').waitFor();
    await page.getByRole('button', { name: 'Resign' }).click();
    await card(page).getByText('You resigned.').waitFor();
    assert.doesNotMatch(await card(page).textContent(), /mistakes/);
    const gone = async () => {
      assert.doesNotMatch(await page.getByTestId('status').textContent(), /Hint/);
      assert.equal(await page.locator('.stage .arrow').count(), 0);
    };
    await gone();
    await card(page).getByRole('button', { name: 'Play on' }).click();
    await page.getByText('Values are hidden').waitFor();
    await gone();
  }));

test('mistakes are reviewed one by one, and a rematch has the same opponent', () =>
  here.visit('#/touchdown:4x4?turns=b1b2;b4b3;c1c2;c4c3&opponent=iris', async (page) => {
    await made(page, 4);
    await page.getByRole('button', { name: 'Resign' }).click();
    await card(page)
      .getByText(/You made/)
      .waitFor();
    // The review shows comments even if values were off.
    await page.keyboard.press('v');
    await page.getByText('Show values to see this list').waitFor();
    await card(page).getByRole('button', { name: 'Review mistakes' }).click();
    await page.getByTestId('comments').getByText('Red threw the win away').waitFor();
    assert.match(await page.locator('.history [aria-current]').textContent(), /1\.\s*b1b2/);
    // A line that is shown does not change the report.
    const report = await page.getByTestId('accuracy').textContent();
    await page.getByTestId('comments').getByRole('button', { name: 'Show' }).click();
    await page.getByText('Red wins in 10 turns').first().waitFor();
    assert.equal(await page.getByTestId('accuracy').textContent(), report);
    await card(page).getByText('Iris won').waitFor();

    await card(page).getByRole('button', { name: 'Rematch' }).click();
    await made(page, 0);
    await page.getByText('Values are hidden').waitFor();
    await panel(page).getByText('You (Red) against Iris').waitFor();
    assert.equal(await hash(page), '#/touchdown:4x4?opponent=iris');
  }));

test('a game that was left can be resumed, from the new game and from the home page', () =>
  here.visit('#/touchdown:4x4?opponent=otto', async (page) => {
    await settled(page);
    await play(page, 'a1a2');
    await made(page, 2);
    const left = await hash(page);
    await newGame(page, { opponent: 'Pip' });
    await made(page, 0);
    await page.getByRole('link', { name: 'Resume it' }).click();
    await panel(page).getByText('against Otto').waitFor();
    await made(page, 2);
    assert.equal(await hash(page), left);
    await page.goto('about:blank');
    await page.goto(here.url);
    await page.getByText('TouchDown 4 × 4 against Otto').waitFor();
    await page.getByRole('link', { name: 'Resume' }).click();
    await made(page, 2);
    await page.getByRole('button', { name: 'Resign' }).click();
    await card(page).getByText('Otto won').waitFor();
    await page.getByRole('link', { name: 'Retrograde' }).click();
    await page.getByRole('heading', { name: 'Perfect play' }).waitFor();
    await page.getByRole('button', { name: 'New game' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Resume' }).count(), 0);
  }));

test('any position can be played on from', async () => {
  const from = async (address, turns) =>
    here.visit(address, async (page) => {
      await made(page, turns);
      const { position, toMove } = await page.evaluate(() => {
        const params = new URLSearchParams(location.hash.split('?')[1]);
        return { position: params.get('position'), toMove: params.get('to_move') };
      });
      await newGame(page, { opponent: 'Iris', from: 'The position on the board' });
      await settled(page);
      const after = new URLSearchParams((await hash(page)).split('?')[1]);
      if (turns === 0) assert.deepEqual([after.get('position'), after.get('to_move')], [position, toMove]);
      assert.equal(after.get('opponent'), 'iris');
      // A rematch begins there again.
      await page.getByRole('button', { name: 'Resign' }).click();
      await card(page).getByRole('button', { name: 'Rematch' }).click();
      await page.getByText('Values are hidden').waitFor();
      const again = new URLSearchParams((await hash(page)).split('?')[1]);
      assert.equal(again.get('position'), after.get('position'));
    });
  // Set up or from a puzzle, and in the middle of a game.
  await from('#/touchdown:4x4?position=.O../X.../.O.O/..XX', 0);
  await from('#/touchdown:4x4?turns=a1a2;d4d3', 2);
});

test('exploring goes on without the opponent', () =>
  here.visit('#/touchdown:4x4?opponent=nora', async (page) => {
    await settled(page);
    await play(page, 'a1a2');
    await made(page, 2);
    await panel(page).getByRole('button', { name: 'Explore without Nora' }).click();
    await panel(page).waitFor({ state: 'detached' });
    await made(page, 2);
    assert.match(await verdict(page), /wins in/);
    await page.goBack();
    await panel(page).getByText('against Nora').waitFor();
  }));

test('a turn is taken back together with the reply', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await begin(page, 'Iris');
    await page.locator('.turns button.turn').first().click();
    await made(page, 2);
    await page.keyboard.press('u');
    await page.getByText('Red wins in 11 turns').first().waitFor();
  }));

const SMALL = 'pushfight:mini,pushers=1,pawns=1';

test('a draw is offered on the third repetition; a cycle has no “!”', async () => {
  // A best line of a drawn position ends where a position repeats.
  const start = '..........oOYx';
  const answer = await ask(here.url, `games/${SMALL}/line?position=${start}`);
  assert.equal(answer.ends, 'repeats');
  const turns = answer.line.map((step) => step.turn_on_board);
  const first = answer.line.findIndex(
    (step) => step.position === answer.end && step.to_move === answer.end_to_move,
  );
  const cycle = turns.slice(first);
  const all = [...turns, ...cycle];
  const [mover, other] = answer.end_to_move === 'first' ? ['', '&you=second'] : ['&you=second', ''];
  const game = `#/${SMALL}?position=${start}&turns=${all.join(';')}&opponent=iris`;
  // If the opponent is to move, the board waits until the offer is declined.
  await here.visit(game + other, async (page) => {
    await card(page).getByText('Iris offers a draw.').waitFor();
    await page.waitForTimeout(600);
    assert.deepEqual(await open(page), []);
    await card(page).getByRole('button', { name: 'Play on' }).click();
    await made(page, all.length + 1);
  });
  await here.visit(game + mover, async (page) => {
    await made(page, all.length);
    await card(page).getByText('This position has come up three times. Iris offers a draw.').waitFor();
    await page.keyboard.press('v');
    const marks = await page.locator('.history button').allTextContents();
    assert.ok(
      marks.slice(turns.length + 1).every((text) => !text.includes('!')),
      marks.join(' '),
    );
    await card(page).getByRole('button', { name: 'Play on' }).click();
    assert.equal(await card(page).getByText('offers a draw').count(), 0);
    await page.reload();
    await card(page).getByRole('button', { name: 'Accept the draw' }).press('Enter');
    await card(page).getByText('You agreed to a draw.').waitFor();
    // The focus stays in the card.
    await card(page).locator('button:focus').getByText('Rematch').waitFor();
    assert.equal(await verdict(page), 'The game is a draw');
    await page.reload();
    await card(page).getByText('You agreed to a draw.').waitFor();
    assert.match(await hash(page), /&end=draw$/);
  });
});

test('a draw is offered after a long stretch in which it was kept', async () => {
  const start = '..........oOYx';
  const [turns, met] = [[], [start]];
  for (let [position, toMove] = [start, 'first']; turns.length < 40;) {
    const { turns_available } = await ask(
      here.url,
      `games/${SMALL}/positions?position=${position}&to_move=${toMove}`,
    );
    const times = ({ position }) => met.filter((before) => before === position).length;
    const [next] = turns_available
      .filter(({ outcome }) => outcome === 'draw')
      .sort((a, b) => times(a) - times(b));
    turns.push(next.turn_on_board);
    met.push(next.position);
    [position, toMove] = [next.position, toMove === 'first' ? 'second' : 'first'];
  }
  await here.visit(`#/${SMALL}?position=${start}&turns=${turns.join(';')}&opponent=iris`, async (page) => {
    await made(page, 40);
    await card(page).getByText('Neither side has made progress in 40 turns. Iris offers a draw.').waitFor();
    await page.keyboard.press('ArrowLeft');
    await settled(page);
    assert.equal(await card(page).getByText('offers').count(), 0);
  });
});

test('plain turns come before equal turns with more moves', () =>
  here.visit('#/pushfight:mini?turns=O:c3,c2 o:b1,c1;X:d2,d1 x:d3,e2', async (page) => {
    await made(page, 2);
    await page.locator('.best li').first().waitFor();
    for (const group of await page.locator('.turns section').all()) {
      const texts = await group.locator('button.turn').allTextContents();
      const moves = texts.map((text) => text.split(',').length);
      assert.deepEqual(
        moves,
        moves.toSorted((a, b) => a - b),
        texts.join(' '),
      );
    }
  }));
