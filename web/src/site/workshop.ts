// The workshop of a site's page: games of one's own are solved by the module with solvers that the site has.

import { servedWorker } from '../guest/served';
import type { Workshop } from '../guest/worker-link';
import { fetchedModule } from './fetched-module';
import type { Site } from './site';

/** Workers for games of one's own, with the module of a site. */
export const siteWorkshop = (site: Site): Workshop => ({
  start: servedWorker,
  module: async () => {
    const [file, { moduleOf }] = await Promise.all([fetchedModule(site.workshop), import('./module-file')]);
    return { bytes: await moduleOf(file) };
  },
});
