// The workshop of a site's page, which solves games with the site's full module.

import { servedWorker } from '../guest/served';
import type { Workshop } from '../guest/worker-link';
import { IncomingFile } from './incoming-file';
import type { Site } from './site';

async function* bytesOf(address: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const { data } of new IncomingFile(address, fetch(address)).follow()) yield data;
}

/** A workshop that uses the module of a site. */
export const siteWorkshop = (site: Site): Workshop => ({
  start: servedWorker,
  module: async () => {
    const { wholeModule } = await import('./module-file');
    return { bytes: await wholeModule(bytesOf(site.workshop)) };
  },
});
