// A backend answers the page's requests: the server, or a solved game inside the page. Both use the paths and the JSON
// of docs/api.md.

export type Query = Record<string, string | number | boolean | undefined>;

export interface Backend {
  get<T>(path: string, query?: Query): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** The address of a file such as a picture; null without a server. */
  link(path: string, query?: Query): string | null;
  /** Whether the page is standalone, with one game in it. */
  readonly standalone: boolean;
  /** Whether there is a server, which knows more games and has a command line. */
  readonly served: boolean;
  /** Whether values are remote, so that the most important are requested first. */
  readonly isRemote?: boolean;
  /** Whether values of a game are so slow that requests for many of them wait until the user asks. */
  isSlow?(path: string): boolean;
  /** Answers from the rules alone if values are remote, with all values unknown. */
  byRules?<T>(path: string, query: Query): Promise<T>;
}

/** A problem (RFC 9457) that a backend answered, with a message for people. */
export class ApiError extends Error {
  readonly status: number;
  /** The probable intended text, such as the name of a game. */
  readonly suggestion: string | null;

  constructor(detail: string, status: number, suggestion: string | null = null) {
    super(detail);
    this.status = status;
    this.suggestion = suggestion;
  }
}

/** The HTTP status of an error; 0 if there was no answer, null for other errors. */
export const statusOf = (error: unknown): number | null => (error instanceof ApiError ? error.status : null);

/** The error of an answer whose status is not 200. */
export function problemOf(status: number, body: unknown): ApiError {
  const { detail, suggestion } = body as { detail: string; suggestion?: string | null };
  return new ApiError(detail, status, suggestion);
}

/** A path with its query, without empty parameters. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** Adds a seed to a query for a random answer, since the module has no source of randomness. */
export const withSeed = (query: Query): Query =>
  query.random ? { seed: Math.floor(Math.random() * 2 ** 32), ...query } : query;
