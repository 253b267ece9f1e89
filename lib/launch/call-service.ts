import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'

/** `npm run service -- METHOD PATH [BODY]`: signs one request to the built-in service and prints its answer. */

const usage = `Usage: npm run service -- METHOD PATH [BODY] [--idempotency-key KEY] [--control] [--headers]

  npm run service -- GET '/cardaccounts?pageSize=3'
  npm run service -- POST /cards/lock '{"cardAccountId":"…","cardId":"…"}' --idempotency-key try-1
  npm run service -- POST /clock '{"advance":"PT24H"}' --control

PATH stands below the base address, or with --control below the control plane, with its query. BODY is JSON, or - for standard input.
The server has to run; its access file is read from DATA_DIR (.data).`

type Access = { baseUrl: string; controlUrl: string; accessKey: string; privateKeyFile: string }

/** Ends with 0 for an answer of 200, 1 for any other answer, 2 where nothing was sent. */
async function callService(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'idempotency-key': { type: 'string' },
      control: { type: 'boolean', default: false },
      headers: { type: 'boolean', default: false },
    },
  })
  const [method, target, given] = positionals
  if (!method || !target?.startsWith('/') || positionals.length > 3) throw new Error(usage)

  const access = readAccess(path.resolve(process.env.DATA_DIR || '.data', 'service-access.json'))
  const url = new URL(`${values.control ? access.controlUrl : access.baseUrl}${target}`)
  const body = given === undefined ? null : Buffer.from(given === '-' ? readFileSync(0) : given)
  const token = await signRequest({
    accessKey: access.accessKey,
    privateKey: readPrivateKey(readFileSync(access.privateKeyFile, 'utf8')),
    method: method.toUpperCase(),
    uri: `${url.pathname}${url.search}`,
    body,
    now: Date.now() / 1000,
  })
  const answer = await fetch(url, {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(values['idempotency-key'] ? { 'idempotency-key': values['idempotency-key'] } : {}),
    },
    body,
    redirect: 'manual',
  })
  console.error(`${answer.status} ${answer.statusText}  request ${answer.headers.get('x-request-id') ?? '–'}`)
  if (values.headers) for (const [name, value] of answer.headers) console.error(`${name}: ${value}`)
  console.log(indented(await answer.text()))
  return answer.status === 200 ? 0 : 1
}

function readAccess(file: string): Access {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Access
  } catch {
    throw new Error(`${file} cannot be read. Start the server with npm start, or set DATA_DIR to its folder.`)
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

try {
  process.exitCode = await callService(process.argv.slice(2))
} catch (error) {
  const cause = (error as { cause?: { code?: string } }).cause?.code
  console.error(
    cause === 'ECONNREFUSED' ? 'The server does not run. Start it with npm start.' : (error as Error).message,
  )
  process.exitCode = 2
}
