// The workshop of a site's page, which solves games with the site's full module.

import { KeptAnswers } from '../api/kept-answers';
import { servedWorker } from '../guest/served';
import type { Workshop } from '../guest/worker-link';
import { IncomingFile } from './incoming-file';
import type { Site } from './site';

async function* bytesOf(address: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const { data } of new IncomingFile(address, fetch(address)).follow()) yield data;
}

/** A workshop that uses the module of a site, which is downloaded once for all workers. */
export function siteWorkshop(site: Site): Workshop {
  const modules = new KeptAnswers();
  const load = async () => {
    const { wholeModule } = await import('./module-file');
    return { bytes: await wholeModule(bytesOf(site.workshop)) };
  };
  return { start: servedWorker, module: () => modules.get(site.workshop, load) };
}
