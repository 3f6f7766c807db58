// A file that arrives in parts, with readers that start early, late or together.

import { expect, test, vi } from 'vitest';
import { IncomingFile, type FilePart } from '../src/site/incoming-file';
import { IncomingModule } from '../src/site/incoming-module';

/** A response whose parts arrive when the test sends them. */
function answer(length: number | null) {
  let send!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (send = controller) });
  const headers: HeadersInit = length === null ? {} : { 'content-length': String(length) };
  return { send: () => send, response: Promise.resolve(new Response(stream, { headers })) };
}

const all = async (file: IncomingFile): Promise<[number[], number | null][]> => {
  const found: FilePart[] = [];
  for await (const part of file.follow()) found.push(part);
  return found.map(({ data, left }) => [[...data], left]);
};

test('all readers get all parts, whenever they start', async () => {
  const { send, response } = answer(5);
  const file = new IncomingFile('m.wasm', response);
  const early = all(file);
  send().enqueue(new Uint8Array([1, 2]));
  const first = await file.follow().next();
  expect(first.value).toMatchObject({ left: 3 });
  const between = all(file);
  send().enqueue(new Uint8Array([3, 4, 5]));
  send().close();
  const parts = [
    [[1, 2], 3],
    [[3, 4, 5], 0],
  ];
  expect(await early).toEqual(parts);
  expect(await between).toEqual(parts);
  expect(await all(file)).toEqual(parts);
  expect(file.failed).toBe(false);
});

test('all readers see a failure, with the status of the host', async () => {
  const gone = new IncomingFile('m.wasm', Promise.resolve(new Response('', { status: 404 })));
  await expect(all(gone)).rejects.toMatchObject({ status: 404, message: expect.stringContaining('m.wasm') });
  await expect(all(gone)).rejects.toMatchObject({ status: 404 });
  expect(gone.failed).toBe(true);
  const away = new IncomingFile('m.wasm', Promise.reject(new TypeError('failed')));
  await expect(all(away)).rejects.toThrow('the host is unreachable');
  const { send, response } = answer(null);
  const cut = new IncomingFile('m.wasm', response);
  const reading = all(cut);
  send().enqueue(new Uint8Array([1]));
  send().error(new TypeError('cut'));
  await expect(reading).rejects.toThrow('the connection was lost');
});

test('a worker knows that most of a module has arrived before its end', async () => {
  const module = new IncomingModule();
  const events: string[] = [];
  void module.nearly.then(() => events.push('nearly'));
  const parts = (async () => {
    for await (const part of module.parts()) events.push(`${part.length} bytes`);
    events.push('end');
  })();
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  module.take({ data: new Uint8Array(7), left: 400_000 });
  await turn();
  module.take({ data: new Uint8Array(8), left: 40_000 });
  await turn();
  module.take({ data: new Uint8Array(9), left: 0 });
  module.take({ end: true });
  await parts;
  expect(events.filter((what) => what !== 'nearly')).toEqual(['7 bytes', '8 bytes', '9 bytes', 'end']);
  expect(events.indexOf('nearly')).toBeGreaterThan(0);
  expect(events.indexOf('nearly')).toBeLessThan(events.indexOf('9 bytes'));
});

test('a module that cannot be loaded fails with the reason', async () => {
  const module = new IncomingModule();
  module.take({ failure: { detail: 'The host is away.', status: 0 } });
  await expect(module.parts().next()).rejects.toThrow('The host is away.');
  await module.nearly;
});

test('a file whose host falls silent fails', async () => {
  vi.useFakeTimers();
  const { send, response } = answer(5);
  const reading = all(new IncomingFile('m.wasm', response));
  const failed = expect(reading).rejects.toThrow('The host sent nothing for 20 seconds.');
  await vi.advanceTimersByTimeAsync(19_000);
  send().enqueue(new Uint8Array([1]));
  await vi.advanceTimersByTimeAsync(19_000);
  send().enqueue(new Uint8Array([2]));
  await vi.advanceTimersByTimeAsync(20_000);
  await failed;
  vi.useRealTimers();
});
