// Fetches the file of a module.

import { FetchError } from './errors';

/** The bytes of a module's file, as they lie on the host. */
export async function fetchedModule(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address).catch(() => null);
  if (response?.ok) return new Uint8Array(await response.arrayBuffer());
  throw new FetchError(
    response
      ? `The rules cannot be fetched: the host answers ${response.status} for “${address}”.`
      : 'The rules cannot be fetched: the host cannot be reached.',
    response?.status ?? 0,
  );
}
