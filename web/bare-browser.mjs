// Controls a browser without the test tools, to measure memory. Those tools record the network, so that the page's
// process keeps response bodies of up to a hundred megabytes each. This module talks to the browser through its pipe, and
// enables nothing else.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts a browser with one empty page; `key` is the key of a host to trust. */
export async function bareBrowser(executable, key) {
  const room = mkdtempSync(join(tmpdir(), 'browser-'));
  const child = spawn(
    executable,
    [
      '--headless=new',
      '--no-sandbox',
      '--remote-debugging-pipe',
      '--no-first-run',
      '--disable-extensions',
      '--disable-component-update',
      '--window-size=1280,900',
      `--user-data-dir=${room}`,
      `--ignore-certificate-errors-spki-list=${key}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const [, , , toBrowser, fromBrowser] = child.stdio;
  const waiting = new Map();
  /** The sessions of the page's workers. */
  const workers = new Set();
  let [next, rest] = [1, Buffer.alloc(0)];
  fromBrowser.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const told = JSON.parse(rest.subarray(0, end).toString());
      rest = rest.subarray(end + 1);
      if (told.method === 'Target.attachedToTarget' && told.params.targetInfo.type === 'worker')
        workers.add(told.params.sessionId);
      if (told.method === 'Target.detachedFromTarget') workers.delete(told.params.sessionId);
      const answer = waiting.get(told.id);
      waiting.delete(told.id);
      if (told.error) answer?.reject(new Error(told.error.message));
      else answer?.resolve(told.result);
    }
  });
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  const { targetInfos } = await send('Target.getTargets');
  const { targetId } = targetInfos.find(({ type }) => type === 'page');
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method, params) => send(method, params, sessionId);
  await page('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await page('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const heapOf = async (session) => {
    await send('HeapProfiler.collectGarbage', {}, session);
    return (await send('Runtime.getHeapUsage', {}, session)).usedSize;
  };
  return {
    page,
    evaluate,
    /** Evaluates an expression until it is true, for at most half a minute. */
    async until(expression) {
      for (const end = performance.now() + 30_000; performance.now() < end;) {
        if (await evaluate(expression)) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`timed out waiting for: ${expression}`);
    },
    /** The memory of the page, its workers and their process, in bytes. */
    async memory() {
      const heap = await heapOf(sessionId);
      const ofWorkers = await Promise.all([...workers].map(heapOf));
      const { nodes, jsEventListeners } = await page('Memory.getDOMCounters');
      const { processInfo } = await send('SystemInfo.getProcessInfo');
      const bytes = (id, what) =>
        1024 *
        Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]);
      const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
      const process = Math.max(...renderers.map((id) => bytes(id, 'VmRSS')));
      const own = Math.max(...renderers.map((id) => bytes(id, 'RssAnon')));
      return { heap, workers: ofWorkers, nodes, listeners: jsEventListeners, process, own };
    },
    async close() {
      await send('Browser.close').catch(() => {});
      await new Promise((resolve) => child.on('exit', resolve));
      rmSync(room, { recursive: true, force: true });
    },
  };
}
