// Decompresses files that were compressed with gzip when the site was written. Some hosts decompress them already.

/** The magic number of gzip. */
const GZIP = [0x1f, 0x8b];

/** Decompresses the bytes if they are compressed. */
export async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (GZIP.some((byte, at) => bytes[at] !== byte)) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
