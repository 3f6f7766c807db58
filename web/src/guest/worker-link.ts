// A promise-based interface to the worker of a game.

import type { Done, ModuleSource, Stage, Task, WorkerMessage } from './protocol';

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
    this.worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.receive(data);
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
    this.failed('The solver was stopped.');
  }

  private give<T>(task: Task): Promise<T> {
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, task });
    });
  }

  private receive(message: WorkerMessage): void {
    if ('stage' in message) {
      this.onstage(message.stage);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if ('fault' in message) waiting?.reject(new Error(message.fault));
    else waiting?.resolve(message.answer as never);
  }

  private failed(reason: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
  }
}
