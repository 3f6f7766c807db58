// Why bytes of a site did not come, in words for people, and what can be done about it.

import { ApiError } from '../api/backend';

/** No bytes came: the network, the host. Trying again may help. */
export const NO_BYTES = 0;
/** The files are no longer there, since the site has new ones: the page is to be loaded again. */
export const SITE_CHANGED = 410;

/** A failure to fetch, as a worker tells it to its page. */
export interface Failure {
  detail: string;
  status: number;
}

export class FetchError extends Error {
  constructor(
    detail: string,
    readonly status: number = NO_BYTES,
    /** Whether the same request may succeed in a moment. */
    readonly passing = false,
  ) {
    super(detail);
  }
}

/** The site has other files by now. */
export class SiteChanged extends FetchError {
  constructor() {
    super('This site was updated while the page was open. Load the page again to go on.', SITE_CHANGED);
  }
}

export const failureOf = (error: unknown): Failure => ({
  detail: error instanceof Error ? error.message : String(error),
  status: error instanceof FetchError ? error.status : NO_BYTES,
});

export const errorOf = ({ detail, status }: Failure): ApiError => new ApiError(detail, status);
