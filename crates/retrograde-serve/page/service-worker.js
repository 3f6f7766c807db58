self.RETROGRADE_FILES = ["assets/Board-BteET6PG.js","assets/DrawnBoard-B8k7fRBy.js","assets/DrawnBoard-Bd65btHh.css","assets/GuestBoard-BNSmL8jT.css","assets/GuestBoard-CMTgJMVu.js","assets/NotSolvedHere-Bey2IG1f.js","assets/NotSolvedHere-CEs8699K.css","assets/Numbers-B2sfIZB3.js","assets/Numbers-eWHopGJ1.css","assets/Puzzles-B5g5SjP5.css","assets/Puzzles-QrZ19puf.js","assets/SetUp-BGp62PHi.js","assets/SolveHereButton-CZM9K0jt.js","assets/address-Blv3bdcm.js","assets/api-Dl2ue5C8.js","assets/backend-EwIBiWqG.js","assets/early-DGzLJ9BS.js","assets/errors-DmcJ_NyA.js","assets/guests-J8AdghHQ.js","assets/icon-D48BKv9L.svg","assets/index-BOCGSmQT.css","assets/index-CBJXP2-q.js","assets/module-file-CYTTlusn.js","assets/open-Cq3fWMSl.js","assets/plans-BBxkh9it.js","assets/pressure-Up7E2-pt.js","assets/route-CX9pGIlB.css","assets/route.svelte-BKdh_AY3.js","assets/served-B4Os7_54.js","assets/session-Ceir5XIm.css","assets/session.svelte-DeiUS3eH.js","assets/storage-D_icSqIH.js","assets/worker-D2jc1cTH.js","assets/worker-m95odGFQ.js"];
// The service worker of a site, for offline use. It caches the page's files, the module and small precomputed files; the
// workers of the games cache ranges of tables (kept-ranges.ts).
//
// `FILES` are the files of this page, with the names from the build (vite.config.ts). Their names contain the digest of
// their content, so they never become outdated. The page and the site's index are requested first, and the cached
// copies are a fallback.

/** @type {string[]} */
const FILES = self.RETROGRADE_FILES;
const SCOPE = self.registration.scope;
const PREFIX = `retrograde-page ${SCOPE} `;
const CACHE =
  PREFIX +
  FILES.join(' ')
    .split('')
    .reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

/** Files that are requested before the cache is used, since their addresses have no digest. */
const FRESH = ['', 'index.html', 'site.json'];
/** Files that never change and are cached once they were loaded. */
const FOR_EVER = /^(assets\/.*|ahead\/.*|openings\/.*|puzzles\/.*|[^/]*\.wasm(\.gz|\.zst)?)$/;
/** After this many milliseconds, the cached copy is used. */
const TIMEOUT = 5000;

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

/** Deletes files of games that the site no longer has. */
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

/** The path below the scope; null for other paths and for ranges. */
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
  const late = new Promise((resolve) => setTimeout(() => resolve(known), TIMEOUT));
  return Promise.race([asked, late]).catch(() => known);
}

self.addEventListener('fetch', (event) => {
  const path = pathOf(event.request);
  if (path === null) return;
  if (FRESH.includes(path)) event.respondWith(fresh(event.request, path));
  else if (FOR_EVER.test(path)) event.respondWith(kept(event.request));
});
