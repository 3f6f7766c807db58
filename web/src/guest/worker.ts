// The worker of a game of this browser. It runs the module off the main thread, so that the page stays responsive during
// a solve. To stop a solve, terminate the worker.

import { RulesModule } from '../api/rules-module';
import type { Done, ModuleSource, Stage, Task, WorkerMessage } from './protocol';

/** Milliseconds between two progress messages. */
const PAUSE = 80;

const tell = (message: WorkerMessage): void => self.postMessage(message);

let stage: Stage = { name: '', total: 0, done: 0 };
let lastReport = 0;
const progress = {
  stage(name: string, total: number): void {
    stage = { name, total, done: 0 };
    this.tell();
  },
  advance(units: number): void {
    stage.done += units;
    this.tell();
  },
  tell(): void {
    if (performance.now() - lastReport < PAUSE) return;
    lastReport = performance.now();
    tell({ stage });
  },
};

let module: RulesModule | null = null;

function made(source: ModuleSource): Promise<RulesModule> {
  if ('bytes' in source) return RulesModule.make(source.bytes, progress);
  return RulesModule.make(
    fetch(source.url).then((response) => {
      if (!response.ok)
        throw new Error(`The solver could not be loaded: the server answered ${response.status}.`);
      return response;
    }),
    progress,
  );
}

async function done(task: Task): Promise<Done[keyof Done]> {
  if (task.kind === 'name') {
    module ??= await made(task.source);
    return module.name(task.name, task.board);
  }
  if (!module) throw new Error('No game is open.');
  return task.kind === 'solve' ? module.solve() : module.ask(task.question);
}

self.onmessage = async ({ data: { id, task } }: MessageEvent<{ id: number; task: Task }>) => {
  try {
    tell({ id, answer: await done(task) });
  } catch (error) {
    tell({ id, fault: error instanceof Error ? error.message : String(error) });
  }
};
