#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runCommand } from '#lib/launch/run-command.ts'
import { openTarget, type ScenarioService } from '#lib/qa/scenarios/target.ts'
import { textIn } from '#lib/shared/json.ts'
import { runScenarios, type ServiceOptions } from './scenario-command.ts'

/**
 * The program of the package `carddesk-scenarios`, which `npm run pack:scenarios` makes: the same command as `npm run scenario`,
 * without the server's settings and files. It runs on Node 20, so it and what it imports use nothing newer.
 */

async function connect(options: ServiceOptions): Promise<ScenarioService> {
  const url = textIn(options, 'url') ?? process.env.SANDBOX_URL ?? 'http://127.0.0.1:3000'
  const accessKey = textIn(options, 'access-key') ?? process.env.SANDBOX_ACCESS_KEY
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new Error(`--url must be the http or https URL of the service; it is "${url}".`)
  if (!accessKey) throw new Error('The access key is missing: set SANDBOX_ACCESS_KEY, or --access-key.')
  const { origin, pathname, search } = new URL(url)
  const baseUrl = pathname === '/' && search === '' ? `${origin}/service/v1` : url.replace(/\/$/, '')
  const connection = {
    baseUrl,
    accessKey,
    privateKey: readKey('private-key', options),
    webhookKey: readKey('webhook-key', options),
  }
  return { ...connection, controlUrl: await findControlPlane(connection) }
}

function readKey(option: string, options: ServiceOptions): string | null {
  const file = textIn(options, option)
  if (file === null) return null
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Error(`--${option}: the file ${file} can’t be read.`)
  }
}

/** The control plane beside a built-in service, whose base URL ends with `/v1`; null for a service that has none there. Throws `Unreachable`. */
async function findControlPlane(connection: Omit<ScenarioService, 'controlUrl'>): Promise<string | null> {
  if (!connection.baseUrl.endsWith('/v1')) return null
  const controlUrl = connection.baseUrl.replace(/v1$/, 'control')
  const target = openTarget({ ...connection, webhookKey: null, controlUrl })
  try {
    return (await target.webhookKey()) === null ? null : controlUrl
  } finally {
    await target.close()
  }
}

await runCommand((args) =>
  runScenarios(args, {
    name: 'carddesk-scenarios',
    root: path.join(import.meta.dirname, '..', '..', '..'),
    serviceOptions: ['url', 'access-key', 'private-key', 'webhook-key'],
    serviceUsage: `  --url URL          the service: its base URL, or the origin of a sandbox. SANDBOX_URL, else http://127.0.0.1:3000
  --access-key KEY   SANDBOX_ACCESS_KEY, which other users of this machine can’t see
  --private-key FILE signs requests (PEM); without it, the access key is sent by HTTP Basic
  --webhook-key FILE verifies deliveries (PEM), where the service has no control plane to ask`,
    connect,
  }),
)
