import type { ActionInput } from '#lib/actions/run-action.ts'
import type { Explorer, ExplorerEndpoint } from '#lib/qa/lab/types.ts'
import { withoutTrailingSlashes } from '#lib/shared/texts.ts'

/** A request for a snippet. `origin` and `uri` together are its URL. The snippet reads both keys at run time. */
export type SnippetRequest = {
  method: 'GET' | 'POST'
  origin: string
  uri: string
  body: string | null
  idempotencyKey: string | null
}

/** Turns a request of the explorer into one for a snippet. `baseUrl` ends with the version segment. */
export function snippetRequest(
  baseUrl: string,
  { method, path }: Pick<ExplorerEndpoint, 'method' | 'path'>,
  {
    params,
    query,
    body,
    idempotencyKey,
  }: Pick<ActionInput<'sendExplorerRequest'>, 'params' | 'query' | 'body' | 'idempotencyKey'>,
): SnippetRequest {
  const { origin, pathname } = new URL(baseUrl)
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) for (const value of values) search.append(name, value)
  return {
    method,
    origin,
    uri: `${withoutTrailingSlashes(pathname)}${filledPath}${search.size > 0 ? `?${search}` : ''}`,
    body: method === 'POST' ? body : null,
    idempotencyKey: method === 'POST' && idempotencyKey !== '' ? idempotencyKey : null,
  }
}

/** Whether requests are signed; without a private key the access key goes alone. */
export function isSigned({ signings }: Pick<Explorer, 'signings'>): boolean {
  return signings.includes('expired')
}

export const snippetLanguages = [
  { id: 'curl', label: 'curl', file: 'request.sh' },
  { id: 'node', label: 'Node', file: 'request.mjs' },
  { id: 'python', label: 'Python', file: 'request.py' },
] as const
export type SnippetLanguage = (typeof snippetLanguages)[number]['id']

/**
 * A program that signs and sends the request. It reads the access key from ACCESS_KEY and the path of the private key (PEM)
 * from PRIVATE_KEY, and needs nothing but bash with openssl and curl, Node 20, or Python 3 with openssl.
 */
export function makeSnippet(language: SnippetLanguage, request: SnippetRequest): string {
  return { curl: curlSnippet, node: nodeSnippet, python: pythonSnippet }[language](request)
}

const keys = (comment: string) =>
  `${comment} ACCESS_KEY: the access key. PRIVATE_KEY: the path of its private key (PEM).`

function curlSnippet({ method, origin, uri, body, idempotencyKey }: SnippetRequest): string {
  const headers = [
    `-H "authorization: Bearer $SIGNED.$SIGNATURE"`,
    ...(body === null ? [] : [`-H 'content-type: application/json'`]),
    ...(idempotencyKey === null ? [] : [`-H ${shellText(`idempotency-key: ${idempotencyKey}`)}`]),
    ...(body === null ? [] : ['--data-raw "$BODY"']),
  ]
  return `#!/usr/bin/env bash
${keys('#')}
set -euo pipefail
: "\${ACCESS_KEY:?}" "\${PRIVATE_KEY:?}"

URI=${shellText(uri)}
BODY=${shellText(body ?? '')}

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
NOW=$(date +%s)
HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
CLAIMS=$(printf '{"sub":"%s","uri":"%s","method":"${method}","body":"%s","iat":%d,"exp":%d,"jti":"%s"}' \\
  "$ACCESS_KEY" "$URI" "$HASH" "$NOW" "$((NOW + 25))" "$(openssl rand -hex 16)")
SIGNED=$(printf %s '{"alg":"RS256","typ":"JWT"}' | base64url).$(printf %s "$CLAIMS" | base64url)
SIGNATURE=$(printf %s "$SIGNED" | openssl dgst -sha256 -sign "$PRIVATE_KEY" | base64url)

curl -gsS -X ${method} ${shellText(origin)}"$URI" \\
  ${headers.join(' \\\n  ')}
`
}

/** The request with the access key alone, which only a sandbox accepts. It reads the key from ACCESS_KEY. */
export function unsignedSnippet({ method, origin, uri, body, idempotencyKey }: SnippetRequest): string {
  const headers = [
    '-u "$ACCESS_KEY:"',
    ...(body === null ? [] : [`-H 'content-type: application/json'`]),
    ...(idempotencyKey === null ? [] : [`-H ${shellText(`idempotency-key: ${idempotencyKey}`)}`]),
    ...(body === null ? [] : [`--data-raw ${shellText(body)}`]),
  ]
  return `# ACCESS_KEY: the access key.
curl -gsS -X ${method} ${shellText(`${origin}${uri}`)} \\
  ${headers.join(' \\\n  ')}
`
}

function nodeSnippet({ method, origin, uri, body, idempotencyKey }: SnippetRequest): string {
  const headers = [
    'authorization: `Bearer ${signed}.${signature}`',
    ...(body === null ? [] : [`'content-type': 'application/json'`]),
    ...(idempotencyKey === null ? [] : [`'idempotency-key': ${scriptText(idempotencyKey)}`]),
  ]
  return `${keys('//')}
import { createHash, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

const { ACCESS_KEY, PRIVATE_KEY } = process.env
const uri = ${scriptText(uri)}
const body = ${scriptText(body ?? '')}

const now = Math.floor(Date.now() / 1000)
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = {
  sub: ACCESS_KEY,
  uri,
  method: '${method}',
  body: createHash('sha256').update(body).digest('hex'),
  iat: now,
  exp: now + 25,
  jti: randomUUID(),
}
const signed = \`\${encode({ alg: 'RS256', typ: 'JWT' })}.\${encode(claims)}\`
const signature = sign('sha256', signed, readFileSync(PRIVATE_KEY)).toString('base64url')

const response = await fetch(${scriptText(origin)} + uri, {
  method: '${method}',
  headers: {
    ${headers.join(',\n    ')},
  },${body === null ? '' : '\n  body,'}
})
console.error(response.status)
console.log(await response.text())
`
}

function pythonSnippet({ method, origin, uri, body, idempotencyKey }: SnippetRequest): string {
  const headers = [
    `"authorization": f"Bearer {signed}.{signature}"`,
    ...(body === null ? [] : [`"content-type": "application/json"`]),
    ...(idempotencyKey === null ? [] : [`"idempotency-key": ${pythonText(idempotencyKey)}`]),
  ]
  return `${keys('#')}
import base64, hashlib, json, os, subprocess, sys, time, urllib.error, urllib.request, uuid

access_key = os.environ["ACCESS_KEY"]
private_key = os.environ["PRIVATE_KEY"]
uri = ${pythonText(uri)}
body = ${pythonText(body ?? '')}.encode()

def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

now = int(time.time())
claims = {
    "sub": access_key,
    "uri": uri,
    "method": "${method}",
    "body": hashlib.sha256(body).hexdigest(),
    "iat": now,
    "exp": now + 25,
    "jti": str(uuid.uuid4()),
}
signed = ".".join(encode(json.dumps(part).encode()) for part in ({"alg": "RS256", "typ": "JWT"}, claims))
openssl = ["openssl", "dgst", "-sha256", "-sign", private_key]
signature = encode(subprocess.run(openssl, input=signed.encode(), capture_output=True, check=True).stdout)

request = urllib.request.Request(
    ${pythonText(origin)} + uri,
    method="${method}",
    data=${body === null ? 'None' : 'body'},
    headers={${headers.join(', ')}},
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error
print(response.status, file=sys.stderr)
print(response.read().decode())
`
}

/** A text as one word of a shell. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A text as a literal of JavaScript: JSON with every character outside ASCII escaped. */
function scriptText(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(/[^\x20-\x7e]/g, (unit) => escaped('u', unit.charCodeAt(0), 4))
}

/** A Python string literal; Python escapes whole characters. */
function pythonText(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(/[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code > 0xffff ? escaped('U', code, 8) : escaped('u', code, 4)
  })
}

function escaped(letter: 'u' | 'U', code: number, digits: number): string {
  return `\\${letter}${code.toString(16).padStart(digits, '0')}`
}
