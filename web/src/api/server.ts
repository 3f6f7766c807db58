// Where answers come from: the server that sent this page, or, in a page that stands alone, a solved game inside it.
// Both speak the paths and the JSON of docs/api.md.

export type Query = Record<string, string | number | boolean | undefined | null>;

export interface Backend {
  get<T>(path: string, query?: Query): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** The address of a file such as a picture; null where there is no server to ask. */
  link(path: string, query?: Query): string | null;
  /** Whether the page stands alone, with one game in it. */
  readonly alone: boolean;
}

/** An answer that is a problem (RFC 9457), in words for people. */
export class Trouble extends Error {
  readonly status: number;
  /** The position of the wrong character, counted from 1, where a text could not be read. */
  readonly place: number | null;

  constructor(detail: string, status: number, place: number | null = null) {
    super(detail);
    this.status = status;
    this.place = place;
  }
}

function queried(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** Answers that are kept; the oldest goes first. */
const KEPT = 400;

class Server implements Backend {
  readonly alone = false;
  private readonly base = new URL('./api/v1/', document.baseURI);
  private readonly kept = new Map<string, Promise<unknown>>();

  link(path: string, query: Query = {}): string {
    return new URL(queried(path, query), this.base).href;
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    const link = this.link(path, query);
    const known = this.kept.get(link);
    if (known) return known as Promise<T>;
    const answer = this.ask<T>(link);
    // Random answers differ from time to time.
    if (!query.random) {
      this.kept.set(link, answer);
      if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value as string);
      answer.catch(() => this.kept.delete(link));
    }
    return answer;
  }

  post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.ask<T>(this.link(path), { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private async ask<T>(link: string, init?: RequestInit): Promise<T> {
    let response: Response;
    try {
      response = await fetch(link, init);
    } catch {
      throw new Trouble('The server does not answer. Is it still running?', 0);
    }
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer as T;
    const problem = (answer ?? {}) as { detail?: string; title?: string; place?: number };
    throw new Trouble(problem.detail ?? problem.title ?? `The server answers ${response.status}.`, response.status, problem.place ?? null);
  }
}

let backend: Backend | null = null;

/** Another backend than the server; before anything is asked. */
export function useBackend(other: Backend): void {
  backend = other;
}

export function ask(): Backend {
  backend ??= new Server();
  return backend;
}

/** The path of something that belongs to a game. */
export function of(game: string, what = ''): string {
  const name = encodeURIComponent(game);
  return what ? `games/${name}/${what}` : `games/${name}`;
}
