import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { respondToService } from '#lib/service/listener.ts'
import { controlPrefix, servicePrefix } from '#lib/service/service-settings.ts'
import type { Service } from '#lib/service/service.ts'
import { openTestService } from '#lib/service/testing.ts'
import { startServiceWork } from '#lib/service/work.ts'
import type { Step } from './schema.ts'
import type { ScenarioService } from './target.ts'

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
  connection: ScenarioService & { privateKey: string }
  close: () => Promise<void>
}> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const opened = await openTestService({ seeded, settings: { baseUrl: `${origin}${servicePrefix}` } })
  const service: Service = { db: opened.service.db, settings: opened.service.settings }
  server.on('request', (request, response) => void respondToService(request, response, service))
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
