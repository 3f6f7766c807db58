// The workshop of the served page: the worker is a separate script, and fetches the module from the server.

import type { Workshop } from './worker-link';

export const servedWorker = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });

export const servedWorkshop: Workshop = {
  start: servedWorker,
  module: () => ({ url: new URL('./module.wasm', document.baseURI).href }),
};
