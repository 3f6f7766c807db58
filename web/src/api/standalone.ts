// A solved game inside this page: the module of crates/retrograde-offline, and the two files of a
// table. A page that is opened from a file has no server to ask.

import { ApiError, type Backend, type Query } from './backend';

interface Module {
  memory: WebAssembly.Memory;
  retrograde_take(length: number): number;
  retrograde_open(manifest: number, manifestLength: number, values: number, valuesLength: number): number;
  retrograde_ask(question: number, length: number): number;
}

/** The bytes that stand in an element of the page, in base 64. */
function embeddedBytes(id: string): Uint8Array<ArrayBuffer> {
  const text = atob(document.getElementById(id)?.textContent?.trim() ?? '');
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export class StandaloneGame implements Backend {
  readonly standalone = true;
  private constructor(private readonly module: Module) {}

  /** Opens the game that the page holds. */
  static async open(): Promise<StandaloneGame> {
    const imports = { retrograde: { now: () => performance.now() } };
    const { instance } = await WebAssembly.instantiate(embeddedBytes('module'), imports);
    const module = instance.exports as unknown as Module;
    const game = new StandaloneGame(module);
    const [manifest, values] = [embeddedBytes('manifest'), embeddedBytes('values')];
    const fault = game.textAt(
      module.retrograde_open(game.copyIn(manifest), manifest.length, game.copyIn(values), values.length),
    );
    if (fault) throw new Error(fault);
    return game;
  }

  /** Copies bytes into the module's memory; returns their address there. */
  private copyIn(bytes: Uint8Array): number {
    const address = this.module.retrograde_take(bytes.length);
    new Uint8Array(this.module.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  /** The text at an address of the module's memory, where its length stands first. */
  private textAt(address: number): string {
    const { buffer } = this.module.memory;
    const length = new DataView(buffer).getUint32(address, true);
    return new TextDecoder().decode(new Uint8Array(buffer, address + 4, length));
  }

  private request<T>(question: object): T {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const text = this.textAt(this.module.retrograde_ask(this.copyIn(bytes), bytes.length));
    const { status, body } = JSON.parse(text) as { status: number; body: unknown };
    if (status !== 200) {
      const problem = body as { detail: string; suggestion?: string };
      throw new ApiError(problem.detail, status, problem.suggestion);
    }
    return body as T;
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    const seed = query.random ? { seed: Math.floor(Math.random() * 2 ** 32) } : {};
    return this.request<T>({ path, query: { ...seed, ...query } });
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return this.request<T>({ path, body });
  }

  link(): null {
    return null;
  }
}
