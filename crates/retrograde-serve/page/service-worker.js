self.RETROGRADE_FILES = ["assets/Board-C-U5_M8H.js","assets/DrawnBoard-0kudxIPk.js","assets/DrawnBoard-Bd65btHh.css","assets/GuestBoard-BNSmL8jT.css","assets/GuestBoard-CcIAM99M.js","assets/NotSolvedHere-CEs8699K.css","assets/NotSolvedHere-CnZkmgHH.js","assets/Numbers-D60hTqBn.js","assets/Numbers-eWHopGJ1.css","assets/Piece-2vzE9BD-.js","assets/Piece-CX9pGIlB.css","assets/Puzzles-B5g5SjP5.css","assets/Puzzles-DZQkj8xu.js","assets/SetUp-fFGrMc3A.js","assets/SolveHereButton-DU2f9T6q.js","assets/address-DFYvTDSq.js","assets/api-BPJg_BTm.js","assets/backend-EwIBiWqG.js","assets/early-DGzLJ9BS.js","assets/errors-DmcJ_NyA.js","assets/guests-CJVbo4G5.js","assets/icon-D48BKv9L.svg","assets/index-CZzryQ65.css","assets/index-Dv111_wd.js","assets/module-file-CYTTlusn.js","assets/open-CupJXKyK.js","assets/plans-BBxkh9it.js","assets/pressure-B4f1K4JG.js","assets/requests.svelte-C9CB-XSU.js","assets/served-Cs7_anac.js","assets/session-Ceir5XIm.css","assets/session.svelte-rtin_wV1.js","assets/storage-D_icSqIH.js","assets/worker-m95odGFQ.js","assets/worker-vAW6gvwP.js"];
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
    await cache.addAll(['./', 'site.json', ...FILES].map(addressOf));
    await takeOver(cache);
    // On the first visit, the page loaded the module before there was a service worker.
    const module = addressOf(JSON.parse(await indexIn(cache)).module);
    if (!(await cache.match(module))) await cache.add(module);
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

const addressOf = (path) => new URL(path, SCOPE).href;

/** The text of the site's index; empty if it is not cached. */
async function indexIn(cache) {
  const index = await cache.match(addressOf('site.json'));
  return index ? index.text() : '';
}

/** Whether an index names the file with this address. */
const names = (index, url) => index.includes(`"${url.slice(SCOPE.length)}"`);

/** Copies the site's files from the caches of other versions of the page. */
async function takeOver(cache) {
  const index = await indexIn(cache);
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX) || name === CACHE) continue;
    const other = await caches.open(name);
    for (const request of await other.keys())
      if (names(index, request.url)) await cache.put(request, await other.match(request));
  }
}

/** Deletes files of games that the site no longer has. */
async function forgetOthers() {
  const cache = await caches.open(CACHE);
  const index = await indexIn(cache);
  for (const { url } of await cache.keys()) {
    const path = url.slice(SCOPE.length);
    const own = FRESH.includes(path) || FILES.includes(path);
    if (!own && !names(index, url)) await cache.delete(url);
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
  const address = addressOf(path === 'index.html' ? './' : path || './');
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
