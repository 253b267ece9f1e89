import { ApiError } from '../api-error.ts'

const maximumBodyBytes = 1024 * 1024

/** Throws `PAYLOAD_TOO_LARGE` for a body whose declared length is over 1 MiB. */
export function requireAcceptedLength(headers: Headers): void {
  if (Number(headers.get('content-length') ?? 0) > maximumBodyBytes) throw tooLarge()
}

/** The raw bytes of a body, or null where there is none. Throws `PAYLOAD_TOO_LARGE` as soon as it is longer than 1 MiB. */
export async function readBody(request: Request): Promise<Uint8Array | null> {
  if (!request.body) return null
  requireAcceptedLength(request.headers)
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(endedEarly)
    if (done) return length === 0 ? null : Buffer.concat(parts)
    length += value.byteLength
    // The rest is left unread: Node's adapter throws in its own callback where a stream with more data is cancelled.
    if (length > maximumBodyBytes) throw tooLarge()
    parts.push(value)
  }
}

function endedEarly(): never {
  throw new ApiError('INVALID_PARAMETERS', 'body: must be sent to its end')
}

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', 'the body must be at most 1 MiB')
}
