self.RETROGRADE_FILES = ["assets/Board-B2q6RG4l.js","assets/DrawnBoard-Bd65btHh.css","assets/DrawnBoard-DwX4fptd.js","assets/GuestBoard-BNSmL8jT.css","assets/GuestBoard-CfXZIt5Z.js","assets/NotSolvedHere-CEs8699K.css","assets/NotSolvedHere-D2e_J5nN.js","assets/Numbers-CZBxTsTK.css","assets/Numbers-DPdZaXe4.js","assets/Piece-BOY7WXEt.css","assets/Piece-BYObULlS.js","assets/Puzzles-BT2Yzavu.css","assets/Puzzles-TCrm_NZi.js","assets/SetUp-BQwpnrQx.js","assets/address-vO4jyXWQ.js","assets/api-DkAeiodW.js","assets/backend-BXPT0Qq5.js","assets/early-DnXTkzuo.js","assets/errors-Dbug2Dfq.js","assets/guests-C5gc_70J.js","assets/icon-D48BKv9L.svg","assets/index-C4OQd6yX.css","assets/index-DxA7gqvj.js","assets/module-file-O3UjcbLx.js","assets/open-C4_KZ7Ou.js","assets/plans-CknodTqU.js","assets/pressure-SiI9QHIv.js","assets/relatives-AYn9Golr.js","assets/route.svelte-Bu5Y86ie.js","assets/served-0EQWUSVA.js","assets/session.svelte-BOIPL8jQ.js","assets/storage-D_icSqIH.js","assets/worker-CMQHQoXj.js","assets/worker-CWE2lOHU.js"];
// The service worker of a site: what was seen works without a network. It keeps the page's own files, the module and
// small files that were written ahead; ranges of tables are kept by the workers of the games (kept-ranges.ts).
//
// `FILES` are the files of this page, as the build names them (vite.config.ts). They have the digest of their content
// in their names, so what is kept of them is right for ever; the page and the index of the site are asked for first,
// and kept for when no answer comes.

/** @type {string[]} */
const FILES = self.RETROGRADE_FILES;
const SCOPE = self.registration.scope;
const PREFIX = `retrograde-page ${SCOPE} `;
const CACHE =
  PREFIX +
  FILES.join(' ')
    .split('')
    .reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

/** Files that are asked for first and kept for later: they have no digest in their address. */
const FRESH = ['', 'index.html', 'site.json'];
/** Files that never change: they are kept once they were seen. */
const FOR_EVER = /^(assets\/.*|ahead\/.*|openings\/.*|puzzles\/.*|[^/]*\.wasm(\.gz|\.zst)?)$/;
/** An answer that has not come by then, in milliseconds, comes from what is kept. */
const PATIENCE = 5000;

self.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(['./', 'site.json', ...FILES].map((file) => new URL(file, SCOPE).href));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => {
  const begin = async () => {
    for (const name of await caches.keys())
      if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    await forgetOthers();
    await self.clients.claim();
  };
  event.waitUntil(begin());
});

/** Removes files of games that the site no longer has. */
async function forgetOthers() {
  const cache = await caches.open(CACHE);
  const index = await cache.match(new URL('site.json', SCOPE).href);
  const text = index ? await index.text() : '';
  for (const { url } of await cache.keys()) {
    const path = url.slice(SCOPE.length);
    const own = FRESH.includes(path) || FILES.includes(path);
    if (!own && !text.includes(`"${path}"`)) await cache.delete(url);
  }
}

/** A path below the scope; null for what is none of this site's, and for ranges. */
function pathOf({ url, method, headers }) {
  if (method !== 'GET' || headers.has('range') || !url.startsWith(SCOPE)) return null;
  return url.slice(SCOPE.length).replace(/[?#].*$/, '');
}

async function kept(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.status === 200) await cache.put(request, response.clone()).catch(() => {});
  return response;
}

async function fresh(request, path) {
  const cache = await caches.open(CACHE);
  const address = new URL(path === 'index.html' ? './' : path || './', SCOPE).href;
  const asked = fetch(request).then(async (response) => {
    if (response.status === 200) {
      await cache.put(address, response.clone()).catch(() => {});
      if (path === 'site.json') await forgetOthers();
    }
    return response;
  });
  const known = await cache.match(address);
  if (!known) return asked;
  const late = new Promise((resolve) => setTimeout(() => resolve(known), PATIENCE));
  return Promise.race([asked, late]).catch(() => known);
}

self.addEventListener('fetch', (event) => {
  const path = pathOf(event.request);
  if (path === null) return;
  if (FRESH.includes(path)) event.respondWith(fresh(event.request, path));
  else if (FOR_EVER.test(path)) event.respondWith(kept(event.request));
});
