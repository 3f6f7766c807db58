// The responses to requests that early-script.js made before the page's scripts were loaded.

declare global {
  var retrogradeEarly: { index?: Promise<Response>; module?: Promise<Response> | null } | undefined;
}

/** Takes the response of an early request; null if there is none, or if it was taken before. */
export function early(what: 'index' | 'module'): Promise<Response> | null {
  // If that script runs after this one, it must not request anything.
  const asked = (globalThis.retrogradeEarly ??= {});
  const answer = asked[what] ?? null;
  delete asked[what];
  return answer;
}
