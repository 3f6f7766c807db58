// Range requests and the responses of hosts.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { Download, merged, mergedTo, type ByteRange } from '../src/site/download';

const range = (from: number, to: number, bytes = 100_000, path = 'tables/a/x'): ByteRange => ({
  path,
  from,
  to,
  bytes,
});

/** Mocks responses, in order. */
const answers = (...list: (() => Response)[]) => {
  const asked = vi.fn(async () => (list.length > 1 ? list.shift()! : list[0]!)());
  vi.stubGlobal('fetch', asked);
  return asked;
};
const part =
  (from: number, length: number, contentRange = `bytes ${from}-${from + length - 1}/100000`) =>
  () =>
    new Response(new Uint8Array(length).fill(7), { status: 206, headers: { 'content-range': contentRange } });
const download = () => new Download('http://host/a/', () => {});

afterEach(() => vi.unstubAllGlobals());

describe('ranges', () => {
  it('are merged if they are close', () => {
    expect(merged([range(50, 60), range(0, 10), range(9, 20), range(95, 99)], 30)).toEqual([
      range(0, 60),
      range(95, 99),
    ]);
    expect(merged([range(50, 60), range(0, 10)], 30)).toEqual([range(0, 10), range(50, 60)]);
    expect(merged([range(0, 10), range(0, 10, 5, 'tables/a/y')])).toHaveLength(2);
  });

  it('are merged, the closest first, until few are left or the gaps get too large', () => {
    const far = [0, 20_000, 45_000, 90_000].map((from) => range(from, from + 100));
    expect(mergedTo(4, far)).toEqual(far);
    expect(mergedTo(3, far)).toEqual([range(0, 20_100), far[2], far[3]]);
    expect(mergedTo(1, far)).toEqual([range(0, 90_100)]);
    // The gaps are 19,900 and then 24,900 bytes.
    expect(mergedTo(1, far, 44_799)).toEqual([range(0, 20_100), far[2], far[3]]);
    expect(mergedTo(1, far, 44_800)).toEqual([range(0, 45_100), far[3]]);
    const others = [range(0, 10), range(50_000, 50_010, 100_000, 'tables/a/y')];
    expect(mergedTo(1, others)).toEqual(others);
  });

  it('arrive as requested', async () => {
    const asked = answers(part(10, 20));
    const { from, data } = await download().get(range(10, 30));
    expect([from, data.length]).toEqual([10, 20]);
    expect(asked.mock.calls[0]).toMatchObject([
      new URL('http://host/a/tables/a/x'),
      { headers: { range: 'bytes=10-29' } },
    ]);
  });

  it('other than requested are rejected', async () => {
    answers(part(11, 20));
    await expect(download().get(range(10, 30))).rejects.toThrow(
      'answered a request for bytes 10 to 29 of 100000',
    );
    answers(part(10, 20, 'bytes 10-29/99999'));
    await expect(download().get(range(10, 30))).rejects.toThrow('bytes 10-29/99999');
  });

  it('are cut out of whole files if the host does not support ranges', async () => {
    answers(() => new Response(new Uint8Array(100_000)));
    const { from, data } = await download().get(range(10, 30));
    expect([from, data.length]).toEqual([0, 100_000]);
  });

  it('of a large file need a host that supports them', async () => {
    answers(() => new Response(new Uint8Array(10)));
    const failed = download().get(range(10, 30, 50e6));
    await expect(failed).rejects.toThrow('This host only sends whole files, and “tables/a/x” has 50.0 MB.');
  });
});

describe('failures', () => {
  it('that are temporary are retried', async () => {
    vi.useFakeTimers();
    const asked = answers(
      () => new Response('', { status: 503 }),
      part(10, 5, 'bytes 10-29/100000'),
      part(10, 20),
    );
    const got = download().get(range(10, 30));
    await vi.runAllTimersAsync();
    expect((await got).data).toHaveLength(20);
    expect(asked).toHaveBeenCalledTimes(3);
    vi.useRealTimers();
  });

  it('that persist are reported after three attempts', async () => {
    vi.useFakeTimers();
    const asked = answers(() => {
      throw new TypeError('failed');
    });
    const got = download().get(range(10, 30));
    const rejected = expect(got).rejects.toThrow('the host is unreachable, or the connection was lost');
    await vi.runAllTimersAsync();
    await rejected;
    expect(asked).toHaveBeenCalledTimes(3);
    vi.useRealTimers();
  });

  it('of missing files are reported immediately', async () => {
    const asked = answers(() => new Response('', { status: 404 }));
    await expect(download().get(range(10, 30))).rejects.toMatchObject({ status: 404 });
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe('the order of requests', () => {
  /** Pending requests by their first byte; the test answers them. */
  const held = () => {
    const open = new Map<number, () => void>();
    const begun: number[] = [];
    const priorities: (string | undefined)[] = [];
    vi.stubGlobal('fetch', (_: URL, { headers, priority }: RequestInit & { headers: { range: string } }) => {
      const [, from, last] = /bytes=(\d+)-(\d+)/.exec(headers.range)!.map(Number) as [number, number, number];
      begun.push(from);
      priorities.push(priority);
      return new Promise((resolve) =>
        open.set(from, () => resolve(part(from, last + 1 - from, `bytes ${from}-${last}/1000000`)())),
      );
    });
    const answer = async (from: number) => {
      open.get(from)!();
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      await new Promise((resolve) => setTimeout(resolve));
    };
    return { begun, priorities, answer };
  };
  const wide = (from: number, length: number) => range(from, from + length, 1_000_000);
  const turn = () => new Promise((resolve) => setTimeout(resolve));

  it('limits the bytes in flight of requests that can wait', async () => {
    const { begun, priorities, answer } = held();
    const line = download();
    const got = [0, 100_000, 200_000, 300_000].map((from) => line.get(wide(from, 30_000)));
    await turn();
    expect(begun).toEqual([0, 100_000]);
    // Urgent ranges start immediately.
    const urgent = line.get(wide(400_000, 2000), true);
    await turn();
    expect(begun).toEqual([0, 100_000, 400_000]);
    expect(priorities).toEqual(['low', 'low', 'high']);
    await answer(0);
    expect(begun).toEqual([0, 100_000, 400_000, 200_000]);
    for (const from of [100_000, 400_000, 200_000, 300_000]) await answer(from);
    expect(await Promise.all([...got, urgent])).toHaveLength(5);
  });

  it('starts a single range above the limit', async () => {
    const { begun, answer } = held();
    const got = download().get(wide(0, 500_000));
    await turn();
    expect(begun).toEqual([0]);
    await answer(0);
    expect((await got).data).toHaveLength(500_000);
  });

  it('moves hurried ranges to the front of the queue', async () => {
    const { begun, answer } = held();
    const line = download();
    const got = [0, 100_000, 200_000, 300_000].map((from) => line.get(wide(from, 60_000)));
    await turn();
    expect(begun).toEqual([0]);
    line.hurry(wide(300_010, 5));
    await turn();
    expect(begun).toEqual([0, 300_000]);
    // A range that is in flight or unknown changes nothing.
    line.hurry(wide(0, 5));
    line.hurry(wide(900_000, 5));
    await turn();
    expect(begun).toEqual([0, 300_000]);
    for (const from of [0, 300_000]) await answer(from);
    expect(begun).toEqual([0, 300_000, 100_000]);
    for (const from of [100_000, 200_000]) await answer(from);
    expect(await Promise.all(got)).toHaveLength(4);
  });
});
