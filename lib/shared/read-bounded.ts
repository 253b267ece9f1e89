/** The bytes of a request's or response's body; null where it has more than `mostBytes`, which are then not read to their end. */
export async function readBounded(
  { body }: Request | Response,
  mostBytes: number,
): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
