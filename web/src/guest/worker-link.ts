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
  /** The worker; null until the first task, and after its script could not be loaded. */
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;

  constructor(
    private readonly workshop: Workshop,
    private readonly onstage: (stage: Stage) => void,
  ) {}

  private started(): Worker {
    const worker = this.workshop.start();
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      this.worker = null;
      this.failed(event.message || 'The script of the solver could not be loaded.');
    };
    return worker;
  }

  async name(name: string, board: string): Promise<Done['name']> {
    // The script loads in parallel with the module.
    this.worker ??= this.started();
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
    this.worker?.terminate();
    this.failed('The solver was stopped.');
  }

  private give<T>(task: Task): Promise<T> {
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker ??= this.started();
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
