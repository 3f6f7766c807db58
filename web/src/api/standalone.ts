// A solved game inside this page: the module of crates/retrograde-offline, and the two files of a table. Opened from a
// file there is nobody else to ask.

import { Trouble, type Backend, type Query } from './server';

interface Module {
  memory: WebAssembly.Memory;
  retrograde_take(length: number): number;
  retrograde_open(manifest: number, manifestLength: number, values: number, valuesLength: number): number;
  retrograde_ask(question: number, length: number): number;
}

/** The bytes that stand in an element of the page, in base 64. */
function bytesOf(id: string): Uint8Array<ArrayBuffer> {
  const text = atob(document.getElementById(id)?.textContent?.trim() ?? '');
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export class Offline implements Backend {
  readonly alone = true;
  private constructor(private readonly module: Module) {}

  /** Opens what the page holds. */
  static async open(): Promise<Offline> {
    const lent = { retrograde: { now: () => performance.now() } };
    const { instance } = await WebAssembly.instantiate(bytesOf('module'), lent);
    const module = instance.exports as unknown as Module;
    const offline = new Offline(module);
    const [manifest, values] = [bytesOf('manifest'), bytesOf('values')];
    const wrong = offline.told(
      module.retrograde_open(offline.put(manifest), manifest.length, offline.put(values), values.length),
    );
    if (wrong) throw new Error(wrong);
    return offline;
  }

  private put(bytes: Uint8Array): number {
    const place = this.module.retrograde_take(bytes.length);
    new Uint8Array(this.module.memory.buffer, place, bytes.length).set(bytes);
    return place;
  }

  private told(place: number): string {
    const { buffer } = this.module.memory;
    const length = new DataView(buffer).getUint32(place, true);
    return new TextDecoder().decode(new Uint8Array(buffer, place + 4, length));
  }

  private ask<T>(question: object): T {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const text = this.told(this.module.retrograde_ask(this.put(bytes), bytes.length));
    const { status, body } = JSON.parse(text) as { status: number; body: unknown };
    if (status !== 200) throw new Trouble((body as { detail: string }).detail, status);
    return body as T;
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    const seed = query.random ? { seed: Math.floor(Math.random() * 2 ** 32) } : {};
    return this.ask<T>({ path, query: { ...query, ...seed } });
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return this.ask<T>({ path, body });
  }

  link(): null {
    return null;
  }
}
