// A promise-based interface to the worker of a site's game.

import { problemOf } from '../api/backend';
import type { ModuleAnswer, Question } from '../api/rules-module';
import { errorOf, failureOf, NO_BYTES, type Failure } from './errors';
import type { IncomingFile } from './incoming-file';
import type { Opening, SiteMessage, SiteSent, SiteTask } from './protocol';

interface Waiting {
  resolve: (answer: ModuleAnswer) => void;
  reject: (error: Error) => void;
}

export type TrafficMessage = Extract<SiteMessage, { traffic: unknown }>;

export class GameLink {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;
  private opened: Promise<unknown> | null = null;
  /** Whether the worker is gone, for example because its script could not be loaded. */
  failed = false;

  constructor(
    private readonly opening: Opening,
    private readonly moduleFile: () => IncomingFile,
    private readonly onTraffic: (message: TrafficMessage) => void,
  ) {
    this.worker.onmessage = ({ data }: MessageEvent<SiteMessage>) => this.receive(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.failed = true;
      this.worker.terminate();
      this.fail({ detail: event.message || 'The script of the game could not be loaded.', status: NO_BYTES });
    };
  }

  /** Whether a request is pending. */
  get busy(): boolean {
    return this.waiting.size > 0;
  }

  /** Opens the game; retries after a failure. */
  open(): Promise<unknown> {
    this.opened ??= this.begin();
    this.opened.catch(() => (this.opened = null));
    return this.opened;
  }

  private async begin(): Promise<void> {
    const answer = this.give({ kind: 'open', opening: this.opening });
    // The worker and its other files load in parallel with the module.
    void this.sendModule();
    const { status, body } = await answer;
    if (status !== 200) throw problemOf(status, body);
  }

  private async sendModule(): Promise<void> {
    try {
      for await (const part of this.moduleFile().follow()) this.send({ module: part });
      this.send({ module: { end: true } });
    } catch (error) {
      this.send({ module: { failure: failureOf(error) } });
    }
  }

  private send(sent: SiteSent): void {
    this.worker.postMessage(sent);
  }

  async ask<T>(question: Question): Promise<T> {
    const opened = this.open();
    // The rules answer before the game's files are loaded.
    if (question.rules) opened.catch(() => {});
    else await opened;
    const { status, body } = await this.give({ kind: 'ask', question });
    if (status !== 200) throw problemOf(status, body);
    return body as T;
  }

  end(): void {
    this.worker.terminate();
    this.fail({ detail: 'The game was closed.', status: NO_BYTES });
  }

  private give(task: SiteTask): Promise<ModuleAnswer> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, task });
    });
  }

  private receive(message: SiteMessage): void {
    if ('traffic' in message) {
      this.onTraffic(message);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if ('failure' in message) waiting?.reject(errorOf(message.failure));
    else waiting?.resolve(message.answer);
  }

  private fail(failure: Failure): void {
    for (const { reject } of this.waiting.values()) reject(errorOf(failure));
    this.waiting.clear();
  }
}
