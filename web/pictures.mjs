// Takes the README's pictures of the page: RETROGRADE=../target/release/retrograde CHROMIUM=/usr/bin/chromium node pictures.mjs
import { site } from './tests/site.mjs';

const here = await site();
const shoot = (name, hash, how, act = async () => {}) =>
  here.visit(
    hash,
    async (page) => {
      await page.locator('.board').first().waitFor();
      await page.waitForTimeout(600);
      await act(page);
      await page.waitForTimeout(400);
      await page.screenshot({ path: new URL(`../docs/pictures/${name}.png`, import.meta.url).pathname });
    },
    how,
  );
const line = 'O:a2,b1 o:b3,c1;X:d2,e1 x:d3,e2';
await shoot(
  'explorer',
  `#/pushfight:mini?turns=${line}`,
  { viewport: { width: 1120, height: 720 } },
  async (page) => {
    const cell = page.locator('.cell.open').first();
    await cell.click();
  },
);
await shoot('explorer-small', '#/touchdown:4x4?turns=a1a2;d4d3;b1b2', {
  viewport: { width: 390, height: 720 },
  colorScheme: 'dark',
});
await here.close();
