// The module of a site: a file that ends with `.gz` was packed by us, since many hosts pack no WebAssembly, and a third
// as much has to come then. Some hosts unpack it themselves on the way.

import { RulesModule } from '../api/rules-module';
import { FetchError } from './errors';

/** The first bytes of packed files. */
const GZIP = [0x1f, 0x8b];

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (GZIP.some((byte, at) => bytes[at] !== byte)) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

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
