// Ranges that are cached between visits.

import { afterEach, expect, test, vi } from 'vitest';
import { KeptRanges } from '../src/site/kept-ranges';

afterEach(() => vi.unstubAllGlobals());

/** The caches of a browser with this quota. */
function stubCaches(quota: number): void {
  const stored = new Map<string, Map<string, Response>>();
  vi.stubGlobal('navigator', { storage: { estimate: async () => ({ quota }) } });
  vi.stubGlobal('caches', {
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    open: async (name: string) => {
      const files = stored.get(name) ?? new Map<string, Response>();
      stored.set(name, files);
      return {
        keys: async () => [...files.keys()].map((url) => ({ url })),
        match: async (url: string) => files.get(url)?.clone(),
        put: async (url: string, response: Response) => void files.set(url, response),
        delete: async (url: string) => files.delete(url),
      };
    },
  });
}

test('the oldest ranges are dropped, but not for a range that is too large to keep', async () => {
  // A twentieth of it is the limit of a generation: 100 bytes.
  stubCaches(2000);
  const kept = (await KeptRanges.open('http://host/', ['tables/a']))!;
  const keep = (from: number, length: number) =>
    kept.keep({ path: 'tables/a/x', from, data: new Uint8Array(length) });
  const isKept = async (from: number) => {
    await kept.drop([]);
    return (await kept.find({ path: 'tables/a/x', from, to: from + 10, bytes: 9000 })) !== null;
  };
  keep(0, 60);
  for (let from = 1000; from < 1010; from++) keep(from, 101);
  expect([await isKept(0), await isKept(1000)]).toEqual([true, false]);
  keep(2000, 60);
  keep(3000, 60);
  expect([await isKept(0), await isKept(2000), await isKept(3000)]).toEqual([false, true, true]);
});
