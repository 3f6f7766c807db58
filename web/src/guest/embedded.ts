// The workshop of the page that stands alone: worker and module are inside it.

import { embeddedBytes } from '../api/standalone';
import type { Workshop } from './worker-link';
import SolverWorker from './worker?worker&inline';

export const embeddedWorkshop: Workshop = {
  start: () => new SolverWorker(),
  module: () => ({ bytes: embeddedBytes('module') }),
};
