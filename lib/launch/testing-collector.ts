import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type ReceivedSpan = { traceId: string; spanId: string; parentSpanId?: string; name: string }

/** An OpenTelemetry collector that stores what it receives. */
export type Collector = {
  url: string
  paths: string[]
  /** Everything received, as it was sent. */
  text: () => string
  spans: () => ReceivedSpan[]
  /** The names of a span and of those above it, as far as they were received. */
  chainOf: (span: ReceivedSpan | undefined) => string[]
  close: () => void
}

type Sent = { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] }

/** Listens on a free port. It responds to everything with `status`. */
export async function openCollector(status = 200): Promise<Collector> {
  const bodies: string[] = []
  const paths: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    paths.push(request.url ?? '')
    bodies.push(text)
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const spans = () =>
    bodies.flatMap((body) =>
      (JSON.parse(body) as Sent).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    text: () => bodies.join('\n'),
    spans,
    chainOf: (span) => {
      const byId = new Map(spans().map((one) => [one.spanId, one]))
      const names: string[] = []
      for (let at = span; at; at = byId.get(at.parentSpanId ?? '')) names.push(at.name)
      return names
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
