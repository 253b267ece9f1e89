import { mkdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { closeDatabases, database } from '#lib/db/connection.ts'
import { handleControl } from '#lib/service/control/handle.ts'
import { handleDocs } from '#lib/service/docs/handle.ts'
import { handleService } from '#lib/service/handle.ts'
import { handleSandbox } from '#lib/service/sandboxes/handle.ts'
import { controlPrefix, readServiceSettings, sandboxesPrefix, servicePrefix } from '#lib/service/service-settings.ts'
import type { Service } from '#lib/service/service.ts'
import { startServiceWork } from '#lib/service/work.ts'
import { replaceSecretFiles } from '#lib/settings/settings.ts'
import { findConnection } from '#lib/shared/connections.ts'
import { atShutdown, nowListening, whenListening } from '#lib/shared/lifecycle.ts'
import { root } from './build.ts'
import { curlLine, prepareBuiltInService } from './built-in-service.ts'
import { requireSettings, readTls } from './check-settings.ts'
import { loadEnv } from './command.ts'
import { launchDatabase } from './database.ts'
import { createHttpServer, listen, listeningOrigin } from './http-server.ts'
import { readKeys } from './keys.ts'

const timeoutMs = 10_000

type Options = { say: (line: string) => void; onLost: (reason: string) => void }

/**
 * Starts the built-in service, its control plane and its docs without the console: at any address and under any host name,
 * with no sign-in and no build. `shutDown()` stops it. Throws an `Error` for people.
 */
export async function launchSandbox({ say, onLost }: Options): Promise<void> {
  loadEnv()
  const settings = requireSettings(process.env, true)
  replaceSecretFiles(process.env)
  const dataDir = path.resolve(settings.DATA_DIR)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const tls = readTls(settings)
  const origin = settings.SANDBOX_ORIGIN?.origin ?? listeningOrigin(settings.HOST, settings.PORT, tls !== null)
  const owner = `process ${process.pid}, ${origin}`
  const { databaseUrl, label, stop } = await launchDatabase(settings, dataDir, owner, { onLost })
  atShutdown('database', stop)
  say(`Database  ${label}`)
  Object.assign(process.env, readKeys(dataDir, settings), {
    NODE_ENV: 'production',
    PORT: String(settings.PORT),
    DATA_DIR: dataDir,
    CARDDESK_ROOT: root,
    DATABASE_URL: databaseUrl,
    BUILT_IN_SERVICE: 'on',
    BUILT_IN_SERVICE_ORIGIN: origin,
  })
  atShutdown('database connections', () => closeDatabases())
  const accessFile = await prepareBuiltInService(database(), null, { dataDir, origin })
  const service: Service = {
    db: database('service'),
    settings: { ...readServiceSettings(process.env), consoleInboxUrl: undefined },
  }
  atShutdown(
    'service work',
    startServiceWork({ ...service, db: database('background') }, { listening: whenListening() }),
  )
  const http = createHttpServer(
    (request, response) => void respond(service, request, response).catch(() => response.destroy()),
    { demoUrl: null, tls },
  )
  await listen(http.server, settings.PORT, settings.HOST)
  nowListening()
  atShutdown('HTTP server', () => http.close(timeoutMs))
  say(`Sandbox   ${origin}${servicePrefix}`)
  say(`Docs      ${origin}/service/docs`)
  say(
    `\nAccess to the service: ${accessFile}\n  ${curlLine(`${origin}${servicePrefix}`, accessFile)}\n\nCtrl C stops it.`,
  )
}

/** The handler below each path. The HTTP server keeps the request line's own target of a service's request. */
async function respond(service: Service, received: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers(
    Object.entries(received.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  )
  const connection = findConnection(headers)
  const { method = 'GET' } = received
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = Readable.toWeb(received) as unknown as BodyInit
  const request = new Request(`http://service${received.url ?? '/'}`, {
    method,
    headers,
    ...(hasBody ? { body, duplex: 'half' } : {}),
  } as RequestInit)
  const target = connection?.target ?? received.url ?? ''
  const handled = await findHandler(target, service)(request)
  response.writeHead(handled.status, Object.fromEntries(handled.headers))
  if (handled.body === null || method === 'HEAD') response.end()
  else await pipeline(Readable.fromWeb(handled.body as ReadableStream), response)

  function findHandler(of: string, to: Service): (sent: Request) => Promise<Response> {
    const isBelow = (prefix: string) => new RegExp(`^${prefix}(?=[/?]|$)`).test(of)
    if (isBelow(servicePrefix)) return (sent) => handleService(sent, connection, to)
    if (isBelow(controlPrefix)) return (sent) => handleControl(sent, connection, to)
    if (isBelow(sandboxesPrefix)) return (sent) => handleSandbox(sent, connection, to)
    if (isBelow('/service/docs')) return (sent) => handleDocs(sent, connection)
    if (isBelow('/api/health/live') || isBelow('/api/health/ready'))
      return () => Promise.resolve(Response.json({ status: 'ok' }))
    if (/^\/(?:\?|$)/.test(of))
      return () => Promise.resolve(Response.redirect(new URL('/service/docs', to.settings.baseUrl), 307))
    return () => Promise.resolve(Response.json({ message: 'The sandbox has no such address.' }, { status: 404 }))
  }
}
