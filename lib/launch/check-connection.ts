import { parseArgs } from 'node:util'
import nextEnv from '@next/env'
import { checkConnection } from '#lib/console/connection/check.ts'
import { inboxUrl } from '#lib/console/connection/inbox-url.ts'
import { reportText, exitCodes } from '#lib/console/connection/report.ts'
import { signingKeyOf } from '#lib/console/connection/signing-key.ts'
import {
  defaultProfileFile,
  readConnection,
  type ServiceConnection,
  webhookKeySetting,
} from '#lib/console/desk/settings.ts'
import { isSet } from '#lib/settings/settings.ts'
import { isEnvironment, type Environment } from '#lib/shared/routes.ts'
import { root } from './build.ts'
import { builtInAccess } from './service-access.ts'

/** `npm run check`: compares a connected service with the contract, only by reads. */

const usage = `Usage: npm run check [-- sandbox|production] [--json]

Calls each read endpoint of the service once and compares the responses with the contract.
A real service is taken from the settings (.env), the built-in one has to run (npm start).

Exit code: 0 usable and no contradictions, 1 differences, 2 nothing could be compared.`

async function check(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  })
  const [environment = 'sandbox', ...rest] = positionals
  if (values.help) {
    console.log(usage)
    return 0
  }
  if (!isEnvironment(environment) || rest.length > 0) throw new Error(usage)
  nextEnv.loadEnvConfig(root, false, { info: () => undefined, error: console.error })
  const { connection, isBuiltIn, webhookKey, consoleUrl } = connectionOf(environment)
  const report = await checkConnection({ environment, connection })
  const namesFile = process.env.SERVICE_NAMES_FILE || defaultProfileFile
  const signingKey = signingKeyOf(connection.privateKey, isBuiltIn)
  const surroundings = { signingKey, inboxUrl: inboxUrl(consoleUrl, environment), webhookKey, namesFile }
  console.log(values.json ? JSON.stringify({ ...report, ...surroundings }, null, 2) : reportText(report, surroundings))
  return exitCodes[report.result]
}

type Checked = { connection: ServiceConnection; isBuiltIn: boolean; webhookKey: string; consoleUrl: string }

function connectionOf(environment: Environment): Checked {
  const { NEXTAUTH_URL, PORT } = process.env
  const prefix = environment === 'sandbox' ? 'SERVICE_SANDBOX' : 'SERVICE_PRODUCTION'
  if (environment === 'sandbox' && !process.env.SERVICE_SANDBOX_URL?.trim()) {
    const { baseUrl, accessKey, privateKeyPem: privateKey } = builtInAccess(process.env)
    // The built-in service is part of the console's own server.
    const consoleUrl = NEXTAUTH_URL || new URL(baseUrl).origin
    const connection = { baseUrl, accessKey, privateKey }
    return { connection, isBuiltIn: true, webhookKey: 'from the built-in service', consoleUrl }
  }
  const read = readConnection(process.env, environment)
  if (!read.ok) throw new Error(read.error.join('\n'))
  if (!read.value)
    throw new Error(
      `${environment} is not connected. Set ${prefix}_URL, ${prefix}_ACCESS_KEY and ${prefix}_PRIVATE_KEY.`,
    )
  const setting = webhookKeySetting(environment)
  const webhookKey = isSet(process.env, setting) ? 'set' : `not set: ${setting}`
  return {
    connection: read.value,
    isBuiltIn: false,
    webhookKey,
    consoleUrl: NEXTAUTH_URL || `http://localhost:${PORT || 3000}`,
  }
}

try {
  process.exitCode = await check(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
