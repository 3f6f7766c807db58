// A backend for a standalone page, which has no server: the module of crates/retrograde-offline and the two files of a
// table are inside the page.

import { problemOf, withSeed, type Backend, type Query } from './backend';
import { RulesModule, type Question } from './rules-module';

/** The bytes in an element of the page, decoded from Base64. */
export function embeddedBytes(id: string): Uint8Array<ArrayBuffer> {
  const text = atob(document.getElementById(id)?.textContent?.trim() ?? '');
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

type Files = [Uint8Array, Uint8Array, Uint8Array];

export class StandaloneGame implements Backend {
  readonly standalone = true;
  readonly served = false;
  private constructor(private readonly module: RulesModule) {}

  /** Opens the game in the page. */
  static async open(): Promise<StandaloneGame> {
    const module = await RulesModule.make(embeddedBytes('module'));
    const [manifest, values, board] = ['manifest', 'values', 'board'].map(embeddedBytes) as Files;
    const fault = module.open(manifest, values, board);
    if (fault) throw new Error(fault);
    return new StandaloneGame(module);
  }

  private request<T>(question: Question): T {
    const { status, body } = this.module.ask(question);
    if (status !== 200) throw problemOf(status, body);
    return body as T;
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    return this.request<T>({ path, query: withSeed(query) });
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return this.request<T>({ path, body });
  }

  link(): null {
    return null;
  }
}
