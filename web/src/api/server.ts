// The server that sent this page.

import { ApiError, type Backend, type Query } from './backend';

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** Answers that are kept; the oldest goes first. */
const MOST_KEPT = 400;

export class Server implements Backend {
  readonly standalone = false;
  private readonly base = new URL('./api/v1/', document.baseURI);
  private readonly answers = new Map<string, Promise<unknown>>();

  link(path: string, query: Query = {}): string {
    return new URL(withQuery(path, query), this.base).href;
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    const link = this.link(path, query);
    const known = this.answers.get(link);
    if (known) return known as Promise<T>;
    const answer = this.request<T>(link);
    // Random answers differ from time to time, unless the seed is given.
    if (!query.random || query.seed !== undefined) {
      this.answers.set(link, answer);
      if (this.answers.size > MOST_KEPT) this.answers.delete(this.answers.keys().next().value as string);
      answer.catch(() => this.answers.delete(link));
    }
    return answer;
  }

  post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.request<T>(this.link(path), { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private async request<T>(link: string, init?: RequestInit): Promise<T> {
    let response: Response;
    try {
      response = await fetch(link, init);
    } catch {
      throw new ApiError('The server does not answer. Is it still running?', 0);
    }
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer as T;
    const problem = (answer ?? {}) as { detail?: string; title?: string; suggestion?: string | null };
    const detail = problem.detail ?? problem.title ?? `The server answers ${response.status}.`;
    throw new ApiError(detail, response.status, problem.suggestion);
  }
}
