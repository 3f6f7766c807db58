// The server that sent this page.

import { ApiError, withQuery, type Backend, type Query } from './backend';
import { KeptAnswers } from './kept-answers';

export class Server implements Backend {
  readonly standalone = false;
  readonly served = true;
  private readonly base = new URL('./api/v1/', document.baseURI);
  private readonly answers = new KeptAnswers();

  link(path: string, query: Query = {}): string {
    return new URL(withQuery(path, query), this.base).href;
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    const link = this.link(path, query);
    // Random answers differ each time, unless a seed is given.
    if (query.random && query.seed === undefined) return this.request<T>(link);
    return this.answers.get(link, () => this.request<T>(link));
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
    const detail = problem.detail ?? problem.title ?? `The server answered ${response.status}.`;
    throw new ApiError(detail, response.status, problem.suggestion);
  }
}
