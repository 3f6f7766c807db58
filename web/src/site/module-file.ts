// The module of a site. It is packed when the site is written, since many hosts pack no WebAssembly, and four tenths
// as much has to come then.

import { RulesModule } from '../api/rules-module';
import { FetchError } from './errors';
import { unpacked } from './packed';

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address).catch(() => null);
  if (response?.ok) return response;
  throw new FetchError(
    response
      ? `The rules cannot be fetched: the host answers ${response.status} for “${address}”.`
      : 'The rules cannot be fetched: the host cannot be reached.',
    response?.status ?? 0,
  );
}

/** The bytes of the module. */
export async function moduleBytes(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetched(address);
  return unpacked(new Uint8Array(await response.arrayBuffer()));
}

/** Makes the module of a file. */
export const moduleFrom = async (address: string): Promise<RulesModule> =>
  RulesModule.make(await moduleBytes(address));
