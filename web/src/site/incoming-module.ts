// The module's file as a worker gets it from its page, part by part.

import { FetchError } from './errors';
import type { ModuleTold } from './protocol';

/** With so many bytes left to come, other requests are made: their way takes as long. */
const NEARLY = 32 << 10;

export class IncomingModule {
  private readonly told: ModuleTold[] = [];
  private wake: () => void = () => {};
  private tellNearly: () => void = () => {};
  /** Resolves once most of it is here, so that the line is free for others; also where it fails. */
  readonly nearly = new Promise<void>((resolve) => (this.tellNearly = resolve));

  take(told: ModuleTold): void {
    this.told.push(told);
    this.wake();
    if (!('data' in told) || (told.left !== null && told.left <= NEARLY)) this.tellNearly();
  }

  /** Its parts, once. */
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
