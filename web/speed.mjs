// Measures how soon the page is usable, and its size: RETROGRADE=… CHROMIUM=… node speed.mjs
import { site } from './tests/site.mjs';

const here = await site();
for (const hash of ['', '#/touchdown:4x4', '#/pushfight:mini']) {
  const times = [];
  let bytes = 0;
  for (let run = 0; run < 9; run++) {
    // A new browser each time, with an empty cache.
    const context = await here.browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    let sum = 0;
    session.on('Network.loadingFinished', (event) => (sum += event.encodedDataLength));
    const began = performance.now();
    await page.goto(here.url + hash);
    await page
      .locator(hash ? '.cell.open' : '.family .board')
      .first()
      .waitFor();
    times.push(performance.now() - began);
    await page.waitForTimeout(300);
    bytes = sum;
    await context.close();
  }
  times.sort((a, b) => a - b);
  console.log(
    `${hash || 'home'}: usable after ${times[4].toFixed(0)} ms (median of 9), ${(bytes / 1000).toFixed(0)} kB in total`,
  );
}
await here.close();
