import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { handleControl } from '#lib/service/control/handle.ts'
import { handleService } from '#lib/service/handle.ts'
import { handleSandbox } from '#lib/service/sandboxes/handle.ts'
import { controlPrefix, sandboxesPrefix, servicePrefix } from '#lib/service/service-settings.ts'
import type { Service } from '#lib/service/service.ts'
import { openTestService } from '#lib/service/testing.ts'
import { startServiceWork } from '#lib/service/work.ts'
import type { Step } from './schema.ts'
import type { ServiceConnection } from './target.ts'

/** The project's root, where the built-in scenarios are. */
export const projectRoot = path.join(import.meta.dirname, '..', '..', '..')

/** A value that the expectation must not accept: each of its parts is changed. */
export function flipped(expected: unknown): unknown {
  if (typeof expected === 'number') return expected + 1
  if (typeof expected === 'boolean') return !expected
  if (typeof expected === 'string') return `${expected}, flipped`
  return expected === null ? 'flipped' : { $not: expected }
}

/** The steps with expectations, as paths of indexes. */
export function expectingSteps(steps: readonly Step[], above: number[] = []): number[][] {
  return steps.flatMap((step, index) => {
    const path = [...above, index]
    if ('repeat' in step) return expectingSteps(step.steps, path)
    return 'expect' in step && Object.keys(step.expect ?? {}).length > 0 ? [path] : []
  })
}

/** The built-in service behind a real HTTP server, with its background work and real deliveries. */
export async function serveBuiltInService(seeded = 12): Promise<{
  connection: ServiceConnection & { privateKey: string }
  close: () => Promise<void>
}> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const opened = await openTestService({ seeded, settings: { baseUrl: `${origin}${servicePrefix}` } })
  const service: Service = { db: opened.service.db, settings: opened.service.settings }
  server.on('request', (request, response) => {
    respond(service, request, response).catch(() => response.destroy())
  })
  const stopWork = startServiceWork(service)
  return {
    connection: {
      baseUrl: `${origin}${servicePrefix}`,
      controlUrl: `${origin}${controlPrefix}`,
      accessKey: opened.caller.accessKey,
      privateKey: opened.caller.privateKeyPem,
      webhookKey: null,
    },
    async close() {
      await stopWork()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await opened.close()
    },
  }
}

async function respond(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = request.url ?? ''
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
  const { method = 'GET', socket } = request
  const hasBody = method !== 'GET' && body.length > 0
  const sent = new Request(`http://service.test${target}`, { method, headers, body: hasBody ? body : null })
  const handle = target.startsWith(sandboxesPrefix)
    ? handleSandbox
    : target.startsWith(controlPrefix)
      ? handleControl
      : handleService
  const handled = await handle(sent, { remoteAddress: '127.0.0.1', target, socket }, service)
  if (socket.destroyed) return
  response.writeHead(handled.status, Object.fromEntries(handled.headers))
  response.end(Buffer.from(await handled.arrayBuffer()))
}
