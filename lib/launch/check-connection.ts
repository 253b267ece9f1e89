import { parseArgs } from 'node:util'
import { checkConnection } from '#lib/console/connection/check.ts'
import { inboxUrl } from '#lib/console/connection/inbox-url.ts'
import { reportText, exitCodes } from '#lib/console/connection/report.ts'
import { toSigningKey } from '#lib/console/connection/signing-key.ts'
import { defaultProfileFile, webhookKeySettings } from '#lib/settings/console-settings.ts'
import { readServiceAccess } from '#lib/settings/service-access.ts'
import { isSet } from '#lib/settings/settings.ts'
import { isEnvironment } from '#lib/shared/routes.ts'
import { loadEnv } from './command.ts'
import { runCommand } from './run-command.ts'

/** `npm run check`: compares a connected service with the contract, only by reads. */

const usage = `Usage: npm run check [-- sandbox|production] [--json]

Calls each read endpoint of the service once and compares the responses with the contract.
A real service is taken from the settings (.env), the built-in one has to run (npm start).

Exit code: 0 usable and no contradictions, 1 differences, 2 nothing could be compared.`

async function check(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  })
  const [environment = 'sandbox', ...rest] = positionals
  if (!isEnvironment(environment) || rest.length > 0) throw new Error(usage)
  loadEnv()
  const connection = readServiceAccess(environment, process.env)
  const isBuiltIn = connection.controlUrl !== null
  const { NEXTAUTH_URL, PORT, TLS_CERTIFICATE } = process.env
  const scheme = TLS_CERTIFICATE ? 'https' : 'http'
  // The built-in service is part of the console's own server.
  const ownOrigin = isBuiltIn ? new URL(connection.baseUrl).origin : `${scheme}://localhost:${PORT || 3000}`
  const setting = webhookKeySettings[environment]
  const ownKey = isSet(process.env, setting) ? 'set' : `not set: ${setting}`
  const webhookKey = isBuiltIn ? 'from the built-in service' : ownKey
  const report = await checkConnection({ environment, connection })
  const namesFile = process.env.SERVICE_NAMES_FILE || defaultProfileFile
  const { privateKey } = connection
  const signingKey = privateKey === null ? null : toSigningKey(privateKey, isBuiltIn)
  const surroundings = { signingKey, inboxUrl: inboxUrl(NEXTAUTH_URL || ownOrigin, environment), webhookKey, namesFile }
  console.log(values.json ? JSON.stringify({ ...report, ...surroundings }, null, 2) : reportText(report, surroundings))
  return exitCodes[report.result]
}

await runCommand(check, { usage })
