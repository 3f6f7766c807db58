// A backend answers the page's questions: the server, or a solved game inside the page. Both speak the
// paths and the JSON of docs/api.md.

export type Query = Record<string, string | number | boolean | undefined>;

export interface Backend {
  get<T>(path: string, query?: Query): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** The address of a file such as a picture; null where there is no server to ask. */
  link(path: string, query?: Query): string | null;
  /** Whether the page stands alone, with one game in it. */
  readonly standalone: boolean;
  /** Whether a program answers, which knows further games, and commands that its user can give. */
  readonly served: boolean;
  /** Whether values come from far away, so that the nearest are asked for first. */
  readonly far?: boolean;
  /** Whether values of a game are so far away that many of them are only asked for when somebody wants them. */
  isDear?(path: string): boolean;
  /** What the rules alone tell, where values are far away: what they do not tell is unknown. */
  byRules?<T>(path: string, query: Query): Promise<T>;
}

/** An answer that is a problem (RFC 9457), in words for people. */
export class ApiError extends Error {
  readonly status: number;
  /** The text that was probably meant, such as the name of a game. */
  readonly suggestion: string | null;

  constructor(detail: string, status: number, suggestion: string | null = null) {
    super(detail);
    this.status = status;
    this.suggestion = suggestion;
  }
}

/** The error of an answer with another status than 200. */
export function problemOf(status: number, body: unknown): ApiError {
  const { detail, suggestion } = body as { detail: string; suggestion?: string | null };
  return new ApiError(detail, status, suggestion);
}

/** A path with its query; what is empty is left out. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** A query with a seed where the answer is to be a random one: the module has no chance of its own. */
export const withSeed = (query: Query): Query =>
  query.random ? { seed: Math.floor(Math.random() * 2 ** 32), ...query } : query;
