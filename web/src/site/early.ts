// The answers to what the page has asked for before its scripts came (early-script.js).

declare global {
  var retrogradeEarly: { index?: Promise<Response>; module?: Promise<Response> | null } | undefined;
}

/** The answer that was asked for early, once; null where there is none. */
export function early(what: 'index' | 'module'): Promise<Response> | null {
  // If that script comes later than this one, it is to ask for nothing.
  const asked = (globalThis.retrogradeEarly ??= {});
  const answer = asked[what] ?? null;
  delete asked[what];
  return answer;
}
