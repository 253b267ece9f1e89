import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'
import { readAccess } from './access-file.ts'

/** `npm run service -- METHOD PATH [BODY]`: signs one request to the built-in service and prints its answer. */

const usage = `Usage: npm run service -- METHOD PATH [BODY] [--idempotency-key KEY] [--headers]

  npm run service -- GET '/cardaccounts?pageSize=3'
  npm run service -- POST /cards/lock '{"cardAccountId":"…","cardId":"…"}' --idempotency-key try-1

PATH stands below the base address, with its query. BODY is JSON, or - for standard input.
The server has to run; its access file is read from DATA_DIR (.data).`

/** Ends with 0 for an answer of 200, 1 for any other answer, 2 where nothing was sent. */
async function callService(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'idempotency-key': { type: 'string' }, headers: { type: 'boolean', default: false } },
  })
  const [method, target, given] = positionals
  if (!method || !target?.startsWith('/') || positionals.length > 3) throw new Error(usage)

  const access = readAccess(path.resolve(process.env.DATA_DIR || '.data'))
  const url = new URL(`${access.baseUrl}${target}`)
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
