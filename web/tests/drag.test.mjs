// Dragging pieces: they follow the pointer, by mouse and by touch.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { made, settled, site, square } from './site.mjs';

let here;
before(async () => (here = await site()));
after(() => here.close());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PUSH_FIGHT = '#/pushfight:mini,pushers=1,pawns=1?position=........Ox.Y.o';

async function middle(page, name) {
  const { x, y, width, height } = await square(page, name).locator('.tile').boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

/** The pointer of a mouse or a finger. */
async function pointerOf(page, touches) {
  if (!touches)
    return {
      down: async ({ x, y }) => {
        await page.mouse.move(x, y);
        await page.mouse.down();
      },
      move: ({ x, y }) => page.mouse.move(x, y),
      up: () => page.mouse.up(),
    };
  const session = await page.context().newCDPSession(page);
  const send = (type, ...touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (at) => send('touchStart', at),
    move: (at) => send('touchMove', at),
    up: () => send('touchEnd'),
  };
}

/** Drags a piece and checks on the way that its picture is under the pointer, in full size. */
async function drag(page, touches, from, to) {
  const pointer = await pointerOf(page, touches);
  const [start, end] = [await middle(page, from), await middle(page, to)];
  const size = (await page.locator(`.table [data-piece="${from}"] .body`).boundingBox()).width;
  await pointer.down(start);
  for (const part of [0.5, 0.75, 1]) {
    const at = { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
    await pointer.move(at);
    const dragged = page.locator('.table .dragged .body');
    await dragged.waitFor();
    await page.waitForTimeout(50);
    const box = await dragged.boundingBox();
    const away = Math.hypot(box.x + box.width / 2 - at.x, box.y + box.height / 2 - at.y);
    assert.ok(away < size / 3, `${away} pixels from the pointer`);
    assert.ok(Math.abs(box.width - size) < 1, 'the whole piece is drawn');
  }
  await pointer.up();
  await page.locator('.table .dragged').waitFor({ state: 'detached' });
}

for (const [how, options] of [
  ['the mouse', {}],
  ['a finger', PHONE],
]) {
  const touches = options.hasTouch === true;
  test(`a dragged piece follows ${how}`, async () => {
    await here.visit(
      '#/touchdown:4x4',
      async (page) => {
        await settled(page);
        await drag(page, touches, 'a1', 'a2');
        await made(page, 1);
        await drag(page, touches, 'd4', 'd3');
        await made(page, 2);
      },
      options,
    );
    await here.visit(
      PUSH_FIGHT,
      async (page) => {
        await settled(page);
        await drag(page, touches, 'e2', 'e1');
        await settled(page);
        await page.locator('.table [data-piece="e1"]').waitFor();
      },
      options,
    );
  });

  test(`in Set up, ${how} moves pieces without removing any`, () =>
    here.visit(
      '#/touchdown:4x4/setup',
      async (page) => {
        await square(page, 'a1').waitFor();
        const standing = () =>
          page
            .locator('.table [data-piece]')
            .evaluateAll((all) => all.map((one) => one.dataset.piece).sort());
        await drag(page, touches, 'a1', 'b2');
        assert.deepEqual(await standing(), ['a4', 'b1', 'b2', 'b4', 'c1', 'c4', 'd1', 'd4']);
        // Onto another piece, which is removed; and outside of the squares, where nothing happens.
        await drag(page, touches, 'b2', 'c4');
        assert.match(await square(page, 'c4').getAttribute('aria-label'), /Red pawn/);
        assert.deepEqual(await standing(), ['a4', 'b1', 'b4', 'c1', 'c4', 'd1', 'd4']);
        const pointer = await pointerOf(page, touches);
        const from = await middle(page, 'a4');
        const [edge, top] = await page
          .locator('.table .board')
          .boundingBox()
          .then(({ x, y }) => [x + 2, y + 2]);
        await pointer.down(from);
        await pointer.move({ x: edge, y: top });
        await pointer.up();
        assert.deepEqual(await standing(), ['a4', 'b1', 'b4', 'c1', 'c4', 'd1', 'd4']);
        // From an empty square nothing is dragged.
        await pointer.down(await middle(page, 'a3'));
        await pointer.move(await middle(page, 'a4'));
        await pointer.up();
        assert.deepEqual(await standing(), ['a4', 'b1', 'b4', 'c1', 'c4', 'd1', 'd4']);
        // A click or a tap still places and removes pieces.
        for (const name of ['a1', 'a1', 'd2']) {
          if (touches) await square(page, name).tap();
          else await square(page, name).click();
        }
        assert.deepEqual(await standing(), ['a4', 'b1', 'b4', 'c1', 'c4', 'd1', 'd2', 'd4']);
      },
      options,
    ));
}
