// The server that sent this page.

import { ApiError, withQuery, type Backend, type Query } from './backend';
import { KeptAnswers } from './kept-answers';
import { waiting } from './waiting.svelte';

interface Problem {
  type?: string;
  detail?: string;
  title?: string;
  suggestion?: string | null;
}

/** The statuses of a server that is busy; if it only ran out of time, repeating the request at once does not help. */
const BUSY = [429, 503];
const MOST_TRIES = 4;
/** The longest wait before a request is repeated, in seconds. */
const LONGEST_WAIT = 20;
/** The longest wait for an answer, in milliseconds. The server gives up earlier, unless it hangs. */
const LONGEST_ANSWER = 60_000;

/** The time after which a busy server wants to be asked again. */
function secondsToWait(response: Response): number {
  const given = response.headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 1;
}

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

  private request<T>(link: string, init?: RequestInit): Promise<T> {
    return waiting.during(this.answered<T>(link, init));
  }

  private async answered<T>(link: string, init?: RequestInit): Promise<T> {
    for (let tries = 1; ; tries++) {
      let response: Response;
      try {
        response = await fetch(link, { ...init, signal: AbortSignal.timeout(LONGEST_ANSWER) });
      } catch {
        throw new ApiError('The server does not answer. Is it still running?', 0);
      }
      const answer: unknown = await response.json().catch(() => null);
      if (response.ok && answer !== null) return answer as T;
      const problem = (answer ?? {}) as Problem;
      if (BUSY.includes(response.status) && !problem.type?.endsWith(':time')) {
        const seconds = secondsToWait(response);
        if (tries < MOST_TRIES && seconds <= LONGEST_WAIT) {
          await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
          continue;
        }
        const when = seconds > 1 ? `in ${seconds} seconds` : 'in a moment';
        throw new ApiError(`The server is busy. Try again ${when}.`, response.status);
      }
      const detail = problem.detail ?? problem.title ?? `The server answered ${response.status}.`;
      throw new ApiError(detail, response.status, problem.suggestion);
    }
  }
}
