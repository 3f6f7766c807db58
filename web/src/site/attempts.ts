// Repeated attempts to download something: the page gives up on a silent host, and tries again after failures that may
// be temporary.

import { FetchError } from './errors';

/** The delays before retries, in milliseconds. */
const PAUSES = [500, 2000];
/** The timeout of a connection without data, in milliseconds. */
const SILENCE = 20_000;

const GONE = [404, 410];
const PASSING = [408, 425, 429, 500, 502, 503, 504];

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** The error of a status that is not a success. */
export function refusal(status: number, path: string): FetchError {
  if (GONE.includes(status)) return new FetchError(`“${path}” is missing on the host.`, 404);
  return new FetchError(`The host answered ${status} for “${path}”.`, 0, PASSING.includes(status));
}

/** The error of an answer that ended too early. */
export const cut = (path: string): FetchError =>
  new FetchError(`The connection was lost while loading “${path}”.`, 0, true);

/** An answer of a host, or the next part of it; rejects if it takes too long. */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const error = new FetchError(`The host sent nothing for ${SILENCE / 1000} seconds.`, 0, true);
    timer = setTimeout(() => reject(error), SILENCE);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** A download, which ends when the signal is aborted. */
type Attempt<T> = (signal: AbortSignal) => Promise<T>;

async function attempted<T>(path: string, attempt: Attempt<T>): Promise<T> {
  const abort = new AbortController();
  try {
    return await attempt(abort.signal);
  } catch (error) {
    abort.abort();
    if (error instanceof FetchError) throw error;
    const reason = 'the host is unreachable, or the connection was lost';
    throw new FetchError(`“${path}” could not be loaded: ${reason}.`, 0, true);
  }
}

/** Downloads something, in up to three attempts. */
export async function attempts<T>(path: string, attempt: Attempt<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempted(path, attempt);
    } catch (error) {
      const wait = PAUSES[failures];
      if (!(error instanceof FetchError) || !error.passing || wait === undefined) throw error;
      await pause(wait);
    }
  }
}
