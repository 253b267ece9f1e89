import { mkdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { closeDatabases, database } from '#lib/db/connection.ts'
import { docsPath } from '#lib/service/docs/page.ts'
import { findCaller, respondToService } from '#lib/service/listener.ts'
import { readServiceSettings, servicePrefix } from '#lib/service/service-settings.ts'
import type { Service } from '#lib/service/service.ts'
import { startServiceWork } from '#lib/service/work.ts'
import { replaceSecretFiles } from '#lib/settings/settings.ts'
import { atShutdown, nowListening, whenListening } from '#lib/shared/lifecycle.ts'
import { root } from './build.ts'
import { callLine, prepareBuiltInService } from './built-in-service.ts'
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
  const accessFile = await prepareBuiltInService(database(), null, { dataDir, origin }, say)
  const service: Service = {
    db: database('service'),
    settings: { ...readServiceSettings(process.env), consoleInboxUrl: undefined },
  }
  atShutdown(
    'service work',
    startServiceWork({ ...service, db: database('background') }, { listening: whenListening() }),
  )
  const http = createHttpServer(
    (request, response) => {
      if (!respondToService(request, response, service)) respondBeside(request, response)
    },
    { demoUrl: null, tls, senders: { knownSender: (request) => findCaller(request, service), trustedHops: 0 } },
  )
  await listen(http.server, settings.PORT, settings.HOST)
  nowListening()
  atShutdown('HTTP server', () => http.close(timeoutMs))
  say(`Sandbox   ${origin}${servicePrefix}`)
  say(`Docs      ${origin}${docsPath}`)
  say(
    `\nAccess to the service: ${accessFile}\n  ${callLine(service.settings.baseUrl, accessFile, service.settings)}\n\nCtrl C stops it.`,
  )
}

/** What a container is asked for beside the service: whether it is healthy, and what is there. */
function respondBeside({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const json = { 'content-type': 'application/json' }
  if (/^\/api\/health\/(?:live|ready)(?=[/?]|$)/.test(url)) response.writeHead(200, json).end('{"status":"ok"}')
  else if (/^\/(?:\?|$)/.test(url)) response.writeHead(307, { location: docsPath }).end()
  else response.writeHead(404, json).end('{"message":"The sandbox has no such address."}')
}
