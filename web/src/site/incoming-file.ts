// A file that is being downloaded: readers receive the parts so far, and the others as they arrive.

import { inTime } from './attempts';
import { FetchError } from './errors';

/** A part of a file, in order. */
export interface FilePart {
  data: Uint8Array<ArrayBuffer>;
  /** The remaining bytes; null if the host did not send the length. */
  left: number | null;
}

const unreachable = (): FetchError =>
  new FetchError('The rules could not be loaded: the host is unreachable, or the connection was lost.');

export class IncomingFile {
  private readonly parts: FilePart[] = [];
  private ended = false;
  private failure: FetchError | null = null;
  /** Callbacks that wait for the next part. */
  private waiting: (() => void)[] = [];

  constructor(
    private readonly address: string,
    response: Promise<Response>,
  ) {
    void this.read(response);
  }

  get failed(): boolean {
    return this.failure !== null;
  }

  private async read(answer: Promise<Response>): Promise<void> {
    try {
      const response = await inTime(answer);
      if (!response.ok)
        throw new FetchError(
          `The rules could not be loaded: the host answered ${response.status} for “${this.address}”.`,
          response.status,
        );
      const packed = response.headers.has('content-encoding');
      const length = packed ? null : response.headers.get('content-length');
      let left = length === null ? null : Number(length);
      const reader = response.body?.getReader();
      if (!reader) throw unreachable();
      for (;;) {
        const { done, value } = await inTime(reader.read());
        if (done) break;
        if (left !== null) left -= value.length;
        this.parts.push({ data: value, left });
        this.tell();
      }
      this.ended = true;
    } catch (error) {
      this.failure = error instanceof FetchError ? error : unreachable();
    }
    this.tell();
  }

  private tell(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const go of waiting) go();
  }

  /** All parts, starting with the first. */
  async *follow(): AsyncGenerator<FilePart> {
    for (let at = 0; ; at++) {
      while (at >= this.parts.length) {
        if (this.failure) throw this.failure;
        if (this.ended) return;
        await new Promise<void>((resolve) => this.waiting.push(resolve));
      }
      yield this.parts[at]!;
    }
  }
}
