// The module's file, which a worker receives from its page in parts.

import { FetchError } from './errors';
import type { ModuleMessage } from './protocol';

/** The remaining bytes at which other requests start: they take about as long as a round trip. */
const NEARLY = 32 << 10;

export class IncomingModule {
  private readonly messages: ModuleMessage[] = [];
  private wake: () => void = () => {};
  private tellNearly: () => void = () => {};
  /** Resolves once most of it has arrived, or on failure, so that other requests can use the connection. */
  readonly nearly = new Promise<void>((resolve) => (this.tellNearly = resolve));

  take(message: ModuleMessage): void {
    this.messages.push(message);
    this.wake();
    if (!('data' in message) || (message.left !== null && message.left <= NEARLY)) this.tellNearly();
  }

  /** Yields its parts; can be used only once. */
  async *parts(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (;;) {
      for (let message = this.messages.shift(); message; message = this.messages.shift()) {
        if ('failure' in message) throw new FetchError(message.failure.detail, message.failure.status);
        if ('end' in message) return;
        yield message.data;
      }
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
