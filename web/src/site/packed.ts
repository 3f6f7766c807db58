// Files that were packed by gzip when the site was written. Some hosts unpack them on the way.

/** The first bytes of packed files. */
const GZIP = [0x1f, 0x8b];

/** The bytes, unpacked if they are packed. */
export async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (GZIP.some((byte, at) => bytes[at] !== byte)) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
