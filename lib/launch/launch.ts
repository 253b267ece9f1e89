import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import path from 'node:path'
import nextEnv from '@next/env'
import type next from 'next'
import { ensureDemoStaff } from '#lib/auth/staff.ts'
import { sessionOfCookies } from '#lib/auth/token.ts'
import { ensureDemoEmbedKey } from '#lib/console/embed/demo-key.ts'
import { closeDatabases, database } from '#lib/db/connection.ts'
import { findCaller, respondToService } from '#lib/service/listener.ts'
import { startServiceWork } from '#lib/service/work.ts'
import { checkpointFilePath } from '#lib/settings/audit-settings.ts'
import { readConsoleSettings, type ConsoleSettings } from '#lib/settings/console-settings.ts'
import { replaceSecretFiles } from '#lib/settings/settings.ts'
import { respondDirectly } from '#lib/shared/direct-requests.ts'
import { atShutdown, nowListening, whenListening } from '#lib/shared/lifecycle.ts'
import { assetsFolder, makeBuild, root } from './build.ts'
import { callLine, prepareBuiltInService } from './built-in-service.ts'
import { requireSettings, shortKeys, readTls, type Settings } from './check-settings.ts'
import { launchDatabase } from './database.ts'
import { demoHelpDesk } from './demo-help-desk.ts'
import { isOfService, type Senders } from './http-limits.ts'
import { createHttpServer, listen, listeningOrigin } from './http-server.ts'
import { readKeys, readServiceIdentity } from './keys.ts'
import { startMetricsServer } from './metrics-server.ts'
import { paceStrangers } from './pace-strangers.ts'
import { requireSameKeys } from './same-keys.ts'
import { serveAssets } from './static-assets.ts'

/** For running requests when the server stops. */
const timeoutMs = 10_000

type Options = { isDev: boolean; say: (line: string) => void; onLost: (reason: string) => void }

/**
 * Starts everything from the settings to a listening HTTP server. `shutDown()` stops it, also after a failure. Throws
 * an `Error` whose message is for people, one line per mistake.
 */
export async function launch({ isDev, say, onLost }: Options): Promise<void> {
  nextEnv.loadEnvConfig(root, isDev)
  const settings = requireSettings(process.env)
  replaceSecretFiles(process.env)
  const dataDir = path.resolve(settings.DATA_DIR)
  const tls = readTls(settings)
  const origin = listeningOrigin(settings.HOST, settings.PORT, tls !== null)
  const consoleUrl = settings.NEXTAUTH_URL ?? `${tls ? 'https' : 'http'}://localhost:${settings.PORT}`
  requireWritable(checkpointFilePath(dataDir))

  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTracing } = await import('./tracing.ts')
    const tracing = startTracing(settings.OTEL_TRACES_SAMPLER_ARG ?? 1)
    atShutdown('traces', () => tracing.stop())
    say(`Traces    ${settings.OTEL_EXPORTER_OTLP_ENDPOINT}`)
  }

  const owner = `process ${process.pid}, ${origin}`
  let preparation: Preparation | undefined
  const prepareOnce = () => (preparation ??= prepare(isDev, say))
  const { databaseUrl, label, stop } = await launchDatabase(settings, dataDir, owner, {
    onLost,
    whileStarting: prepareOnce,
  })
  atShutdown('database', stop)
  // The code from here on has only the role of DATABASE_URL.
  delete process.env.DATABASE_OWNER_URL
  say(`Database  ${label}`)
  await checkPort(settings)

  for (const warning of shortKeys(settings)) say(`Warning   ${warning}`)
  const keys = readKeys(dataDir, settings)
  const identity = settings.hasBuiltInService ? readServiceIdentity(dataDir, 'sandbox') : null
  const baseUrl = settings.SERVICE_SANDBOX_URL ?? `${origin}/service/v1`
  // The origin in links and webhooks: callers elsewhere reach the service only under the console's public name.
  const publicOrigin = settings.NEXTAUTH_URL ? new URL(settings.NEXTAUTH_URL).origin : origin
  const serviceOrigin = settings.SANDBOX_ORIGIN?.origin ?? publicOrigin
  Object.assign(process.env, keys, {
    NODE_ENV: isDev ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    PORT: String(settings.PORT),
    HOST: settings.HOST,
    DATA_DIR: dataDir,
    CARDDESK_ROOT: root,
    DATABASE_URL: databaseUrl,
    ...(settings.DATABASE_REPLICA_URL && { DATABASE_REPLICA_URL: settings.DATABASE_REPLICA_URL }),
    NEXTAUTH_URL: consoleUrl,
    BUILT_IN_SERVICE: identity ? 'on' : 'off',
    BUILT_IN_SERVICE_ORIGIN: serviceOrigin,
    SERVICE_SANDBOX_URL: baseUrl,
    ...(identity && {
      SERVICE_SANDBOX_ACCESS_KEY: identity.accessKey,
      SERVICE_SANDBOX_PRIVATE_KEY: identity.privateKeyFile,
    }),
  })
  const consoleSettings = readConsoleSettings(process.env)
  if (!consoleSettings.ok) throw new Error(consoleSettings.error.join('\n'))

  const db = database()
  atShutdown('database connections', () => closeDatabases())
  await requireSameKeys(db, settings, keys, identity)
  if (settings.isDemo) await ensureDemoStaff(db)
  const accessFile = identity && (await prepareBuiltInService(db, identity, { dataDir, origin: serviceOrigin }, say))
  say(`Service   ${identity ? 'built in, ' : ''}${baseUrl}`)

  const { demoHelpDesk: helpDeskUrl, sealingKey } = consoleSettings.value
  const helpDesk =
    helpDeskUrl === null
      ? null
      : demoHelpDesk({ consoleUrl, apiOrigin: origin, key: await ensureDemoEmbedKey(db, sealingKey) })
  const { build, createApp } = prepareOnce()
  await build
  if (settings.METRICS_PORT) {
    const host = settings.METRICS_HOST ?? '127.0.0.1'
    const server = await startMetricsServer(settings.METRICS_PORT, host, tls)
    atShutdown('metrics', async () => void server.close())
    say(`Metrics   ${tls ? 'https' : 'http'}://${host}:${settings.METRICS_PORT}/metrics`)
  }
  await serve(await createApp, settings, consoleSettings.value, isDev, helpDesk)
  say(`Console   ${consoleUrl}${settings.isDemo ? ' (demo: sign in with one click)' : ''}`)
  if (accessFile)
    say(
      `\nAccess to the service: ${accessFile}\n  ${callLine(baseUrl, accessFile, { acceptsBasic: settings.SANDBOX_BASIC_AUTH ?? true })}`,
    )
  say('\nCtrl C stops it.')
}

/** Throws an `Error` of one line where the audit log's checkpoints could not be written: nothing of it would be signed. */
function requireWritable(file: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    for (const place of [path.dirname(file), file]) if (existsSync(place)) accessSync(place, constants.W_OK)
  } catch (error) {
    throw new Error(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}). DATA_DIR must be a folder of this user.`,
      { cause: error },
    )
  }
}

type Preparation = { build: Promise<void>; createApp: Promise<typeof next> }

/** What needs no database, and is done while it starts: the build, and reading the code of Next. */
function prepare(isDev: boolean, say: Options['say']): Preparation {
  const build = isDev ? Promise.resolve() : makeBuild(say, { isServer: true })
  const createApp = import('next').then((module) => module.default)
  // Each is awaited later on; a start that fails before has a reason of its own.
  for (const part of [build, createApp]) part.catch(() => undefined)
  return { build, createApp }
}

/** Found now rather than after a build of half a minute. */
async function checkPort(settings: Settings): Promise<void> {
  const probe = createHttpServer(() => undefined, { demoUrl: null })
  await listen(probe.server, settings.PORT, settings.HOST)
  await probe.close(0)
}

async function serve(
  createApp: typeof next,
  settings: Settings,
  consoleSettings: ConsoleSettings,
  isDev: boolean,
  helpDesk: RequestListener | null,
): Promise<void> {
  const { PORT: port, HOST: hostname } = settings
  const { consoleUrl } = consoleSettings
  const tls = readTls(settings)
  let handle: ReturnType<ReturnType<typeof next>['getRequestHandler']> | null = null
  const toNext: RequestListener = (request, response) => {
    handle?.(request, response).catch(() => response.destroy())
  }
  const respond: RequestListener = (request, response) => {
    if (respondToService(request, response)) return
    // While developing, Next has the latest code.
    if (isDev || !respondDirectly(request, response)) toNext(request, response)
  }
  const senders: Senders = {
    knownSender: (request) =>
      isOfService(request.url ?? '') ? findCaller(request) : sessionOfCookies(request.headers.cookie, consoleSettings),
    trustedHops: consoleSettings.trustedProxyHops,
  }
  const http = createHttpServer(
    // While developing, Next makes the files when they are requested.
    isDev ? respond : serveAssets(assetsFolder, paceStrangers(respond, senders)),
    {
      demoUrl: settings.isDemo ? new URL(consoleUrl).origin : null,
      isSecure: consoleUrl.startsWith('https:'),
      helpDesk,
      tls,
      senders,
      hasWebsocket: isDev,
      serviceHosts: settings.SANDBOX_ORIGIN
        ? {
            own: settings.SANDBOX_ORIGIN.hostname,
            internal: new URL(listeningOrigin(hostname, port, tls !== null)).hostname,
          }
        : null,
    },
  )
  const app = createApp({ dev: isDev, dir: root, hostname, port, httpServer: http.server })
  atShutdown('Next', () => app.close())
  // After the background work, which calls the built-in service over HTTP.
  atShutdown('HTTP server', () => http.close(timeoutMs))
  if (settings.hasBuiltInService)
    atShutdown('service work', startServiceWork(undefined, { listening: whenListening() }))
  await app.prepare()
  handle = app.getRequestHandler()
  await listen(http.server, port, hostname)
  nowListening()
  atShutdown('requests', () => http.drain(timeoutMs))
  atShutdown('load balancer', http.leave)
}
