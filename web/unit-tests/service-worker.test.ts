// The files that the service worker of a site caches for offline use.

import { beforeEach, expect, test } from 'vitest';
import source from '../src/site/service-worker.js?raw';

const SCOPE = 'http://host/a/';

/** The files of the host, by path. */
let host: Record<string, string>;
/** The caches of the browser, by name: texts by address. */
let stored: Map<string, Map<string, string>>;

const fetched = async (url: string): Promise<Response> => {
  const text = host[url.slice(SCOPE.length)];
  return new Response(text ?? '', { status: text === undefined ? 404 : 200 });
};

const urlOf = (request: string | { url: string }): string =>
  typeof request === 'string' ? request : request.url;

function cacheOf(texts: Map<string, string>) {
  const cache = {
    keys: async () => [...texts.keys()].map((url) => ({ url })),
    match: async (request: string | { url: string }) => {
      const text = texts.get(urlOf(request));
      return text === undefined ? undefined : new Response(text);
    },
    put: async (request: string | { url: string }, response: Response) =>
      void texts.set(urlOf(request), await response.text()),
    delete: async (request: string | { url: string }) => texts.delete(urlOf(request)),
    add: async (url: string) => {
      const response = await fetched(url);
      if (!response.ok) throw new TypeError(`${url} is missing`);
      await cache.put(url, response);
    },
    addAll: async (urls: string[]) => void (await Promise.all(urls.map(cache.add))),
  };
  return cache;
}

const caches = {
  keys: async () => [...stored.keys()],
  open: async (name: string) => {
    const texts = stored.get(name) ?? new Map<string, string>();
    stored.set(name, texts);
    return cacheOf(texts);
  },
  delete: async (name: string) => stored.delete(name),
};

/** Installs and activates a service worker; returns its answers to requests. */
async function start(files: string[]): Promise<(path: string) => Promise<string>> {
  type Event = { waitUntil?: (work: Promise<void>) => void; request?: object; respondWith?: unknown };
  const listeners = new Map<string, (event: Event) => void>();
  const self = {
    RETROGRADE_FILES: files,
    registration: { scope: SCOPE },
    addEventListener: (name: string, listener: (event: Event) => void) => listeners.set(name, listener),
    skipWaiting: async () => {},
    clients: { claim: async () => {} },
  };
  new Function('self', 'caches', 'fetch', source)(self, caches, (request: { url: string }) =>
    fetched(request.url),
  );
  for (const name of ['install', 'activate'])
    await new Promise<void>((resolve, reject) =>
      listeners.get(name)!({ waitUntil: (work) => void work.then(resolve, reject) }),
    );
  return (path) =>
    new Promise((resolve) => {
      const request = { url: SCOPE + path, method: 'GET', headers: new Headers() };
      const respondWith = async (answer: Promise<Response>) => resolve((await answer).text());
      listeners.get('fetch')!({ request, respondWith });
    });
}

const paths = (): string[] =>
  [...stored.values()].flatMap((texts) => [...texts.keys()].map((url) => url.slice(SCOPE.length))).sort();

const index = (module: string, ...named: string[]): string => JSON.stringify({ module, named });

beforeEach(() => {
  stored = new Map();
  host = {
    '': 'the page',
    'site.json': index('m-1.wasm', 'ahead/a.json', 'puzzles/a.json'),
    'assets/one.js': 'one',
    'm-1.wasm': 'the module',
    'ahead/a.json': 'ahead',
    'puzzles/a.json': 'puzzles',
  };
});

test('the module is cached on the first visit, and other files once they are requested', async () => {
  const get = await start(['assets/one.js']);
  expect(paths()).toEqual(['', 'assets/one.js', 'm-1.wasm', 'site.json']);
  expect(await get('ahead/a.json')).toBe('ahead');
  host = {};
  expect(await get('ahead/a.json')).toBe('ahead');
  expect(await get('m-1.wasm')).toBe('the module');
});

test('a new version of the page keeps the files that the site still has', async () => {
  const get = await start(['assets/one.js']);
  await get('ahead/a.json');
  await get('puzzles/a.json');
  // The host has no files of the site left, but they are cached.
  host = { '': 'the page', 'site.json': index('m-1.wasm', 'ahead/a.json'), 'assets/two.js': 'two' };
  const again = await start(['assets/two.js']);
  expect(stored.size).toBe(1);
  expect(paths()).toEqual(['', 'ahead/a.json', 'assets/two.js', 'm-1.wasm', 'site.json']);
  expect(await again('ahead/a.json')).toBe('ahead');
});
