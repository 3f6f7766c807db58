// The board: drawing order, animations, and touch on a phone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { made, open, settled, site, square } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const MOVING = { reducedMotion: 'no-preference' };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Red, on e2, can push the pawn on f2 off the board. */
const EJECTS = '#/pushfight:mini,pushers=1,pawns=1?position=........Ox.Y.o';

/** Starts to record the moving pieces in each frame. */
const watch = (page) =>
  page.evaluate(() => {
    window.seen = [];
    const look = () => {
      const moving = [...document.querySelectorAll('.table .moving')].map((element) => {
        const [x, y] = element
          .getAttribute('transform')
          .match(/-?[\d.]+/g)
          .map(Number);
        const whole = element.querySelector('.body') !== null;
        const strokes = element.querySelector('.detail')?.getAttribute('stroke-dasharray') ?? null;
        return { x, y, whole, strokes, owner: element.querySelector('.piece').classList[1] };
      });
      if (moving.length > 0) window.seen.push({ time: performance.now(), moving });
      requestAnimationFrame(look);
    };
    look();
  });

/** The recorded motion, after the animation has ended. */
async function seen(page) {
  await page.waitForFunction(() => window.seen.length > 0 && !document.querySelector('.board[data-moving]'));
  return page.evaluate(() => window.seen);
}

/** The centre of a square in board units. */
const middle = (page, name) =>
  square(page, name).evaluate((cell) =>
    cell
      .getAttribute('transform')
      .match(/[\d.]+/g)
      .map(Number),
  );

const standing = (page) =>
  page.locator('.table [data-piece]').evaluateAll((all) => all.map((one) => one.dataset.piece).sort());

const touch = async (page, ...names) => {
  for (const name of names) await square(page, name).click();
};

test('value badges are whole: over all squares and pieces, and inside the picture', () =>
  here.visit('#/touchdown:4x4', async (page) => {
    await settled(page);
    await page.locator('.badge').first().waitFor();
    const faults = await page.evaluate(() => {
      const board = document.querySelector('.table .board');
      const frame = board.getBoundingClientRect();
      const under = [...board.querySelectorAll('.tile, .ground, .piece')];
      const badges = [...board.querySelectorAll('.badge')];
      const covers = (one, badge) =>
        Boolean(badge.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
      return badges.flatMap((badge) => {
        const box = badge.getBoundingClientRect();
        const inside =
          box.left >= frame.left &&
          box.right <= frame.right &&
          box.top >= frame.top &&
          box.bottom <= frame.bottom;
        return inside && !under.some((one) => covers(one, badge)) ? [] : [badge.textContent];
      });
    });
    assert.ok((await page.locator('.table .badge').count()) >= 4);
    assert.deepEqual(faults, []);
  }));

test('numbers do not cover the pencil mark of a square', () =>
  here.visit('#/tactics:3x3', async (page) => {
    await settled(page);
    await page.locator('.turns button.turn').first().hover();
    await page.locator('.table .marked').first().waitFor();
    const names = await page
      .locator('.table .marked')
      .evaluateAll((cells) => cells.map((cell) => cell.dataset.square));
    const boxes = await page.locator('.table .badge').evaluateAll((badges) =>
      badges.map((badge) => {
        const { x, y, width, height } = badge.getBoundingClientRect();
        return { left: x, right: x + width, top: y, bottom: y + height };
      }),
    );
    for (const name of names) {
      const box = await square(page, name).locator('.tile').boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      assert.ok(
        boxes.every(({ left, right, top, bottom }) => x < left || x > right || y < top || y > bottom),
        name,
      );
    }
  }));

test('a pawn moves to its square, and both squares stay tinted', () =>
  here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await settled(page);
      await watch(page);
      await touch(page, 'a1', 'a2');
      const pictures = await seen(page);
      const [[x, from], [, to]] = [await middle(page, 'a1'), await middle(page, 'a2')];
      const ways = pictures.flatMap(({ moving }) => moving);
      assert.ok(ways.length >= 2 && ways.every((one) => one.x === x && one.y <= from && one.y >= to));
      assert.ok(pictures.at(-1).time - pictures[0].time < 400, 'a step takes a quarter of a second');
      await made(page, 1);
      assert.deepEqual(await standing(page), ['a2', 'a4', 'b1', 'b4', 'c1', 'c4', 'd1', 'd4']);
      for (const name of ['a1', 'a2']) assert.match(await square(page, name).getAttribute('class'), /last/);
      assert.equal(await page.locator('.table .was .arrow').count(), 1);
    },
    MOVING,
  ));

test('a captured pawn is next to the board, and returns when the turn is taken back', () =>
  here.visit(
    '#/touchdown:4x4?position=OO.O/..O./.X../X.XX',
    async (page) => {
      await settled(page);
      const lying = page.locator('.table .beside');
      const lay = await lying.count();
      await watch(page);
      await touch(page, 'b2', 'c3');
      const pictures = await seen(page);
      assert.ok(pictures.some(({ moving }) => moving.length === 2));
      await made(page, 1);
      assert.equal(await lying.count(), lay + 1);
      assert.equal(await page.locator('.table .beside .second').count(), lay + 1);
      await page.keyboard.press('u');
      await page.waitForFunction((lay) => document.querySelectorAll('.table .beside').length === lay, lay);
    },
    MOVING,
  ));

for (const turned of [false, true]) {
  test(`a row is pushed together, its last piece falls, the anchor hops${turned ? ', on a board that is flipped' : ''}`, () =>
    here.visit(
      EJECTS,
      async (page) => {
        await settled(page);
        if (turned) await page.keyboard.press('f');
        await watch(page);
        await touch(page, 'e2', 'f2');
        const pictures = await seen(page);
        const [[from, y], [to]] = [await middle(page, 'e2'), await middle(page, 'f2')];
        assert.equal(Math.sign(to - from), turned ? -1 : 1);
        const row = pictures.filter(({ moving }) => moving.length === 2);
        assert.ok(row.length > 0, 'pusher and pawn move together');
        for (const { moving } of row) {
          const [pusher, pawn] = moving;
          assert.ok(pusher.y === y && Math.abs(pusher.x - from) <= 60);
          assert.equal(pawn.owner, 'second');
        }
        const fallen = pictures
          .flatMap(({ moving }) => moving.filter(({ owner }) => owner === 'second'))
          .at(-1);
        assert.ok(fallen.y > y, 'it falls into the tray below the board');
        assert.ok(
          pictures.some(({ moving }) => moving.length === 1 && !moving[0].whole),
          'the anchor moves alone',
        );
        await made(page, 1);
        assert.deepEqual(await standing(page), ['c1', 'e1', 'f2']);
        assert.equal(await page.locator('[data-piece="f2"] .first .anchor').count(), 2);
        assert.equal(await page.locator('[data-piece="c1"] .anchor').count(), 0);
        assert.equal(await page.locator('.table .beside .second').count(), 1);
      },
      MOVING,
    ));
}

test('squares of Tactics are filled with pencil strokes', () =>
  here.visit(
    '#/tactics:3x3',
    async (page) => {
      await settled(page);
      await watch(page);
      await touch(page, 'a1', 'b1');
      const pictures = await seen(page);
      const strokes = pictures.flatMap(({ moving }) => moving.map((one) => one.strokes)).filter(Boolean);
      assert.ok(strokes.length > 0, 'a stroke is partly drawn');
      await made(page, 1);
      assert.deepEqual(await standing(page), ['a1', 'b1']);
      assert.equal(await page.locator('.table .cell.last').count(), 2);
    },
    MOVING,
  ));

test('with reduced motion nothing moves, but there are tints and arrows', () =>
  here.visit(EJECTS, async (page) => {
    await settled(page);
    await watch(page);
    await touch(page, 'e2', 'f2');
    await made(page, 1);
    await page.waitForTimeout(300);
    assert.deepEqual(await page.evaluate(() => window.seen), []);
    assert.deepEqual(await standing(page), ['c1', 'e1', 'f2']);
    assert.equal(await page.locator('.table .cell.last').count(), 2);
    assert.equal(await page.locator('.table .was .arrow.push').count(), 1);
  }));

test('pushes and moves have different marks', () =>
  here.visit(EJECTS, async (page) => {
    await settled(page);
    const marked = (name) =>
      page.evaluate((name) => {
        const cell = document.querySelector(`.table [data-square="${name}"]`);
        const marks = [...document.querySelectorAll('.table .pushes')];
        return marks.some(
          (mark) => mark.parentElement.getAttribute('transform') === cell.getAttribute('transform'),
        );
      }, name);
    const names = (await open(page)).map(({ name }) => name).sort();
    assert.deepEqual(names, ['e1', 'e2']);
    assert.deepEqual([await marked('e1'), await marked('e2')], [false, true]);
    assert.match(await square(page, 'e2').getAttribute('aria-label'), /can push/);
    await touch(page, 'e2');
    assert.deepEqual([await marked('f2'), await marked('d2')], [true, false]);
  }));

test('a board is printed in light colours, and not across two pages', () =>
  here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await settled(page);
      const looks = () =>
        square(page, 'a2').evaluate((cell) => [
          getComputedStyle(cell.querySelector('.ground')).fill,
          getComputedStyle(cell.closest('.board')).breakInside,
        ]);
      const [dark] = await looks();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const printed = await looks();
      await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
      const [light] = await looks();
      assert.notEqual(dark, light);
      assert.deepEqual(printed, [light, 'avoid']);
    },
    { colorScheme: 'dark' },
  ));

test('on a phone the squares of eight columns are large enough for fingers', () =>
  here.visit(
    '#/pushfight',
    async (page) => {
      await settled(page);
      const { width } = await square(page, 'c3').locator('.tile').boundingBox();
      assert.ok(width >= 44, `${width} pixels`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    },
    PHONE,
  ));

/** Scrolls to the top, and waits until the page has rested there for half a second, however slow the machine is. */
const scrolledToTop = (page) =>
  page.evaluate(async () => {
    for (let since = performance.now(); performance.now() - since < 500;) {
      if (scrollY !== 0) {
        scrollTo(0, 0);
        since = performance.now();
      }
      await new Promise(requestAnimationFrame);
    }
  });

test('a finger scrolls over the board, taps, and drags a piece', () =>
  here.visit(
    '#/touchdown:4x4',
    async (page) => {
      await settled(page);
      const session = await page.context().newCDPSession(page);
      const at = async (name) => {
        const { x, y, width, height } = await square(page, name).locator('.tile').boundingBox();
        return { x: x + width / 2, y: y + height / 2 };
      };
      const finger = (type, ...touchPoints) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints });
      const swipe = async ({ x, y }, by) => {
        await finger('touchStart', { x, y });
        for (let part = 1; part <= 10; part++) await finger('touchMove', { x, y: y + (by * part) / 10 });
        // A finger that rests before it lifts does not set the page rolling.
        await page.waitForTimeout(200);
        await finger('touchMove', { x, y: y + by });
        await finger('touchEnd');
      };
      // On an empty square, and on a piece of the other player.
      for (const name of ['b2', 'b4']) {
        await swipe(await at(name), -150);
        await page.waitForFunction(() => scrollY > 60);
        assert.equal(await page.locator('.table .chosen').count(), 0);
        await scrolledToTop(page);
      }
      const [from, to] = [await at('a1'), await at('a2')];
      await swipe(from, to.y - from.y);
      await made(page, 1);
      assert.equal(await page.evaluate(() => scrollY), 0, 'the piece was dragged, not the page');
      await square(page, 'd4').tap();
      assert.equal(await square(page, 'd4').getAttribute('aria-selected'), 'true');
      await square(page, 'd3').tap();
      await made(page, 2);
    },
    PHONE,
  ));
