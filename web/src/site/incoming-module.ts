// The module's file, which a worker receives from its page in parts.

import { FetchError } from './errors';
import type { ModuleTold } from './protocol';

/** The remaining bytes at which other requests start: they take about as long as a round trip. */
const NEARLY = 32 << 10;

export class IncomingModule {
  private readonly told: ModuleTold[] = [];
  private wake: () => void = () => {};
  private tellNearly: () => void = () => {};
  /** Resolves once most of it has arrived, or on failure, so that other requests can use the connection. */
  readonly nearly = new Promise<void>((resolve) => (this.tellNearly = resolve));

  take(told: ModuleTold): void {
    this.told.push(told);
    this.wake();
    if (!('data' in told) || (told.left !== null && told.left <= NEARLY)) this.tellNearly();
  }

  /** Yields its parts; can be used only once. */
  async *parts(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (;;) {
      for (let told = this.told.shift(); told; told = this.told.shift()) {
        if ('failure' in told) throw new FetchError(told.failure.detail, told.failure.status);
        if ('end' in told) return;
        yield told.data;
      }
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
