// A promise-based interface to the worker of a game.

import type { Done, ModuleSource, Stage, Task, Told } from './protocol';

/** How a page starts workers that solve, and where they get the module. */
export interface Workshop {
  start: () => Worker;
  module: () => ModuleSource | Promise<ModuleSource>;
}

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

export class WorkerLink {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;

  constructor(
    private readonly workshop: Workshop,
    private readonly onstage: (stage: Stage) => void,
  ) {
    this.worker = workshop.start();
    this.worker.onmessage = ({ data }: MessageEvent<Told>) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.failed(event.message || 'This browser cannot start a worker for the solver.');
    };
  }

  async name(name: string, board: string): Promise<Done['name']> {
    return this.give({ kind: 'name', source: await this.workshop.module(), name, board });
  }

  solve(): Promise<Done['solve']> {
    return this.give({ kind: 'solve' });
  }

  ask(question: Extract<Task, { kind: 'ask' }>['question']): Promise<Done['ask']> {
    return this.give({ kind: 'ask', question });
  }

  /** Terminates the worker, even if it is busy. */
  end(): void {
    this.worker.terminate();
    this.failed('It was stopped.');
  }

  private give<T>(task: Task): Promise<T> {
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, task });
    });
  }

  private hear(told: Told): void {
    if ('stage' in told) {
      this.onstage(told.stage);
      return;
    }
    const waiting = this.waiting.get(told.id);
    this.waiting.delete(told.id);
    if ('fault' in told) waiting?.reject(new Error(told.fault));
    else waiting?.resolve(told.answer as never);
  }

  private failed(reason: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
  }
}
