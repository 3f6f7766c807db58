// Errors when loading a site's files, with messages for people.

import { ApiError } from '../api/backend';

/** The network or the host failed; trying again may help. */
export const NO_BYTES = 0;
/** The site was updated and its old files are gone; the page must be reloaded. */
export const SITE_CHANGED = 410;

/** A failed fetch, as a worker reports it to its page. */
export interface Failure {
  detail: string;
  status: number;
}

export class FetchError extends Error {
  constructor(
    detail: string,
    readonly status: number = NO_BYTES,
    /** Whether a retry may succeed. */
    readonly passing = false,
  ) {
    super(detail);
  }
}

/** The site was updated while the page was open. */
export class SiteChanged extends FetchError {
  constructor() {
    super('This site was updated while the page was open. Reload the page to continue.', SITE_CHANGED);
  }
}

export const failureOf = (error: unknown): Failure => ({
  detail: error instanceof Error ? error.message : String(error),
  status: error instanceof FetchError ? error.status : NO_BYTES,
});

export const errorOf = ({ detail, status }: Failure): ApiError => new ApiError(detail, status);
