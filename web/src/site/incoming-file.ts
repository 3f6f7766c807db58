// A file on its way: whoever needs it gets the parts that are here, and the others as they come.

import { FetchError } from './errors';

/** A part of a file, in order. */
export interface FilePart {
  data: Uint8Array<ArrayBuffer>;
  /** Bytes that are still to come; null where the host has not said how many there are. */
  left: number | null;
}

const unreachable = (): FetchError =>
  new FetchError('The rules cannot be fetched: the host cannot be reached, or the connection was cut.');

export class IncomingFile {
  private readonly parts: FilePart[] = [];
  private ended = false;
  private failure: FetchError | null = null;
  /** Those who wait for the next part. */
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
      const response = await answer;
      if (!response.ok)
        throw new FetchError(
          `The rules cannot be fetched: the host answers ${response.status} for “${this.address}”.`,
          response.status,
        );
      const packed = response.headers.has('content-encoding');
      const length = packed ? null : response.headers.get('content-length');
      let left = length === null ? null : Number(length);
      const reader = response.body?.getReader();
      if (!reader) throw unreachable();
      for (;;) {
        const { done, value } = await reader.read();
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

  /** All parts, from the first on. */
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
