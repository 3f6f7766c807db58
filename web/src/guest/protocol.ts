// The messages between the page and a worker that solves.

import type { ModuleAnswer, Named, Question } from '../api/rules-module';

/** The source of the module: an address, or its bytes. */
export type ModuleSource = { url: string } | { bytes: Uint8Array<ArrayBuffer> };

export type Task =
  | { kind: 'name'; source: ModuleSource; name: string; board: string }
  | { kind: 'solve' }
  | { kind: 'ask'; question: Question };

/** The progress of a solve: the stage, its units of work, and how many of them are done. */
export interface Stage {
  name: string;
  total: number;
  done: number;
}

export interface Done {
  name: Named;
  /** Why solving failed; empty on success. */
  solve: string;
  ask: ModuleAnswer;
}

export type WorkerMessage =
  { id: number; answer: Done[keyof Done] } | { id: number; fault: string } | { stage: Stage };
