// The workshop of the standalone page, with worker and module embedded.

import { embeddedBytes } from '../api/standalone';
import type { Workshop } from './worker-link';
import SolverWorker from './worker?worker&inline';

export const embeddedWorkshop: Workshop = {
  start: () => new SolverWorker(),
  module: () => ({ bytes: embeddedBytes('module') }),
};
