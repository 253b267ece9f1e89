import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { contractProfile } from '#lib/client/service-profile.ts'
import { readServiceAccess, builtInAccess } from '#lib/settings/service-access.ts'
import { indentedJson } from '#lib/shared/json.ts'
import { isEnvironment } from '#lib/shared/routes.ts'
import { signAuthorization } from '#lib/signing/authorization.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { loadEnv } from './command.ts'
import { runCommand } from './run-command.ts'

/** `npm run service -- METHOD PATH [BODY]`: signs one request to a service and prints its response. */

const usage = `Usage: npm run service -- [--env sandbox|production] METHOD PATH [BODY]
                  [--idempotency-key KEY] [--control] [--headers]

  npm run service -- GET '/cardaccounts?pageSize=3'
  npm run service -- POST /cards/lock '{"cardAccountId":"…","cardId":"…"}' --idempotency-key try-1
  npm run service -- POST /clock '{"advance":"PT24H"}' --control

  npm run service -- --env production GET /ping

PATH is below the base address, or with --control below the control plane, with its query. BODY is JSON, or - for standard input.
Without --env the built-in service is called: its server has to run, and its access file is read from DATA_DIR (.data).
With --env the service of the settings is called, from environment variables or the file .env.`

/** Exits with 0 for a response of 200, 1 for any other response, 2 where nothing was sent. */
async function callService(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      env: { type: 'string' },
      'idempotency-key': { type: 'string' },
      control: { type: 'boolean', default: false },
      headers: { type: 'boolean', default: false },
    },
  })
  const [method, target, given] = positionals
  if (!method || !target?.startsWith('/') || positionals.length > 3) throw new Error(usage)

  if (values.env !== undefined && values.control)
    throw new Error('--control is for the built-in service, without --env')
  const access = values.env === undefined ? builtInAccess(process.env) : connectedAccess(values.env)
  const names = (access.profile ?? contractProfile).headers
  const url = new URL(`${values.control ? access.controlUrl : access.baseUrl}${target}`)
  const body = given === undefined ? null : Buffer.from(given === '-' ? readFileSync(0) : given)
  const authorization = await signAuthorization({
    accessKey: access.accessKey,
    privateKey: access.privateKey === null ? null : readPrivateKey(access.privateKey),
    method: method.toUpperCase(),
    uri: `${url.pathname}${url.search}`,
    body,
    now: Date.now() / 1000,
  })
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: {
      authorization,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(values['idempotency-key'] ? { [names.idempotencyKey]: values['idempotency-key'] } : {}),
    },
    body,
    redirect: 'manual',
  }).catch((error: Error) => {
    const { message, code } = (error.cause ?? error) as { message: string; code?: string }
    if (code === 'ECONNREFUSED' && values.env === undefined) {
      throw new Error('The server does not run. Start it with npm start.')
    }
    throw new Error(`${access.baseUrl} cannot be reached: ${message || code}.`)
  })
  console.error(`${response.status} ${response.statusText}  request ${response.headers.get(names.requestId) ?? '–'}`)
  if (values.headers) for (const [name, value] of response.headers) console.error(`${name}: ${value}`)
  console.log(indentedJson(await response.text()))
  return response.status === 200 ? 0 : 1
}

function connectedAccess(environment: string) {
  if (!isEnvironment(environment)) throw new Error(`--env must be sandbox or production; it is "${environment}".`)
  loadEnv()
  return readServiceAccess(environment, process.env)
}

await runCommand(callService, { usage })
