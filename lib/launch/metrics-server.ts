import type { RequestListener, Server } from 'node:http'
import { collectDefaultMetrics } from 'prom-client'
import { metrics, readMetricsText } from '#lib/environments/metrics.ts'
import { createPlainOrSecure, listen, type Tls } from './http-server.ts'

/** Serves `GET /metrics` for Prometheus, on a port of its own that staff and webhooks do not reach. Throws an `Error` of one line. */
export async function startMetricsServer(port: number, host: string, tls: Tls | null = null): Promise<Server> {
  const { registry } = metrics()
  collectDefaultMetrics({ register: registry })
  const handle: RequestListener = (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    readMetricsText().then(
      (text) =>
        response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    )
  }
  const server = createPlainOrSecure(tls, { requestTimeout: 5000, headersTimeout: 5000 }, handle)
  server.maxConnections = 10
  await listen(server, port, host, 'METRICS_')
  return server
}
