// The workshop of a site's page: games of one's own are solved by the module with solvers that the site has.

import { servedWorker } from '../guest/served';
import type { Workshop } from '../guest/worker-link';
import { IncomingFile } from './incoming-file';
import type { Site } from './site';

async function* bytesOf(address: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const { data } of new IncomingFile(address, fetch(address)).follow()) yield data;
}

/** Workers for games of one's own, with the module of a site. */
export const siteWorkshop = (site: Site): Workshop => ({
  start: servedWorker,
  module: async () => {
    const { wholeModule } = await import('./module-file');
    return { bytes: await wholeModule(bytesOf(site.workshop)) };
  },
});
