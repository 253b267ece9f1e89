import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The headers of a request, as fetch has them. */
function readHeaders({ headers }: IncomingMessage): Headers {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** A request to this server as fetch has it, with its body still to be read. It is aborted where its sender leaves before `response` is out. */
export function toRequest(message: IncomingMessage, response: ServerResponse): Request {
  const { method = 'GET', url = '/' } = message
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://server${url}`, {
    method,
    headers: readHeaders(message),
    signal: untilLeft(response),
    ...(hasBody && { body: Readable.toWeb(message) as BodyInit, duplex: 'half' }),
  } as RequestInit)
}

/** Aborted where the one who waits for `response` leaves before it is out. */
export function untilLeft(response: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  return leaving.signal
}

type Sent = { status: number; headers: Readonly<Record<string, string>>; body: string | Buffer | null }

/** Sends a whole response to `message`: compressed where it is long and the sender reads gzip, without its body where that is a HEAD. */
export async function send(message: IncomingMessage, response: ServerResponse, sent: Sent): Promise<void> {
  const { status, headers, body } = sent
  const acceptsGzip = gzipAccepted.test(String(message.headers['accept-encoding'] ?? ''))
  const isZipped = acceptsGzip && body !== null && body.length >= leastZipped
  response.writeHead(status, {
    ...headers,
    vary: 'accept-encoding',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  })
  response.end(message.method === 'HEAD' ? null : isZipped ? await zip(body) : body)
}

const zip = promisify(gzip)
/** The coding in a list, without a weight or with one that is not 0. */
const gzipAccepted = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i
/** A shorter text is sent sooner than it is compressed. */
const leastZipped = 4096

/** Sends a response of fetch, whose body is in memory. */
export async function sendResponse(message: IncomingMessage, response: ServerResponse, sent: Response): Promise<void> {
  const body = sent.body === null ? null : Buffer.from(await sent.arrayBuffer())
  // A connection that a fault dropped.
  if (response.destroyed) return
  await send(message, response, { status: sent.status, headers: Object.fromEntries(sent.headers), body })
}
