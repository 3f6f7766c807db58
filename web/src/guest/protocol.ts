// The messages between the page and its worker.

import type { ModuleAnswer, Named, Question } from '../api/rules-module';

/** Where the worker gets the module from: an address, or its bytes. */
export type ModuleSource = { url: string } | { bytes: Uint8Array<ArrayBuffer> };

export type Task =
  | { kind: 'name'; source: ModuleSource; name: string; board: string }
  | { kind: 'solve' }
  | { kind: 'ask'; question: Question };

/** How far a solve is: the stage, the units of work in it, and how many of them are done. */
export interface Stage {
  name: string;
  total: number;
  done: number;
}

export interface Done {
  name: Named;
  /** Why solving failed; empty if it did not. */
  solve: string;
  ask: ModuleAnswer;
}

export type Told =
  { id: number; answer: Done[keyof Done] } | { id: number; fault: string } | { stage: Stage };
