// The requests of a component, of which only the last one counts.

/** Returns a function to call before a request, while the component is created. What this returns says whether the answer
 * is still wanted: no other request has begun, and the component is still there. */
export function lastRequest(): () => () => boolean {
  let last = 0;
  $effect(() => () => void last++);
  return () => {
    const mine = ++last;
    return () => mine === last;
  };
}
