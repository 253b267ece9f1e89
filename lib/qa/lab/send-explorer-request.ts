import 'server-only'
import { z } from 'zod'
import { recordAudit } from '#lib/audit/chain.ts'
import type { Target } from '#lib/audit/types.ts'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import type { Staff } from '#lib/auth/types.ts'
import { inputFor, prepare, prepareBytes, type Prepared } from '#lib/client/prepare.ts'
import { type RawExchange, sendRaw, signings } from '#lib/client/raw-request.ts'
import { isContractProfile } from '#lib/client/service-profile.ts'
import { secretCardEndpoints } from '#lib/contract/card-actions.ts'
import { fieldIssues, type Part } from '#lib/contract/describe-issues.ts'
import { type EndpointName, endpointNames, endpointRow, endpointText } from '#lib/contract/endpoints.ts'
import { database } from '#lib/db/connection.ts'
import { serviceProfile } from '#lib/environments/environments.ts'
import { noteServiceCall } from '#lib/environments/request-log.ts'
import { action } from '#lib/gate/action.ts'
import { findOperation } from '#lib/operations/journal.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { atMost } from '#lib/shared/at-most.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { parseJson } from '#lib/shared/json.ts'
import { minuteCounter } from '#lib/shared/minute-counter.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import { requireControl, SandboxId } from './control.ts'
import {
  bodyWithoutSecrets,
  findDeviations,
  parseError,
  issuesFrom,
  exchangeOutcome,
  urlWithoutCardNumbers,
  withShortToken,
} from './explorer-exchange.ts'
import { listSignings } from './explorer.ts'
import { noteRecordedCall } from './recording.ts'
import { connectionIn } from './sandboxes.ts'
import type { Exchange, PlacedIssue } from './types.ts'

/** Decision of the built-in service: a body of more than 1 MiB is refused. QA may try a little more. */
const longestBody = 1_100_000

const Send = z.object({
  environment: EnvironmentName,
  /** Id of a sandbox of one's own; left out: the shared one. */
  sandbox: SandboxId.optional(),
  endpoint: z.enum(endpointNames, 'must be an endpoint'),
  params: z.record(z.string().max(100), z.string().max(1000)),
  query: z.record(z.string().max(100), z.array(z.string().max(5000)).max(200)),
  /** The exact text of the body. Null: no body. */
  body: z.string().max(longestBody, 'must be at most 1 MB').nullable(),
  idempotencyKey: z
    .string()
    .max(...atMost(255))
    .regex(/^[\x21-\x7e]*$/, 'must be visible ASCII characters'),
  signing: z.enum(signings, 'must be a way to sign'),
  /** Sends a request that differs from the contract, too. */
  isUnchecked: z.boolean(),
})

type SendResult = { kind: 'sent'; exchange: Exchange } | { kind: 'incorrect'; issues: PlacedIssue[] } | NotStarted

const longestShown = 300_000

/** A recorded scenario has no body of these: it holds a PIN, digits of a card number, or personal data and documents. */
const secretRequests: ReadonlySet<EndpointName> = new Set([
  ...secretCardEndpoints,
  'createCardAccount',
  'resubmitClientIdentity',
])
const requestsPerMinute = 60

/**
 * Signs and sends one request as it was entered. `incorrect`: it differs from the contract, and nothing was sent. Every request
 * that was sent is in the audit log with its outcome, and so is an attempt without the permission.
 */
export const sendExplorerRequest = action('sendExplorerRequest', {
  input: Send,
  target: (_idIn, { endpoint }) => endpointTarget(endpointNames.find((name) => name === endpoint)),
  run: async (given, { staff: by }): Promise<SendResult> => {
    if (given.sandbox !== undefined) requireControl(given.environment, given.sandbox)
    if (!listSignings(given.environment).includes(given.signing)) {
      throw new AppError('INVALID_PARAMETERS', 'This connection has no private key, so there is no token to change.')
    }
    const issues = findIssues(given)
    if (issues.length > 0 && !given.isUnchecked) return { kind: 'incorrect', issues }
    const prepared = prepareRequest(given)
    if ('issues' in prepared) return { kind: 'incorrect', issues: prepared.issues }
    await requireFreeKey(given)
    requireBudget(by.id)
    return { kind: 'sent', exchange: await send(given, prepared, by) }
  },
})

type Given = z.output<typeof Send>

function endpointTarget(name: EndpointName | undefined): Target | null {
  if (!name) return null
  return { type: 'endpoint', id: name, parentId: null, label: endpointText(name) }
}

/** Where a request differs from the contract, part by part. */
function findIssues({ endpoint, params, query, body }: Given): PlacedIssue[] {
  const row = endpointRow(endpoint)
  const given = {
    params,
    query: Object.fromEntries(
      Object.entries(query).flatMap(([name, values]) => (values.length === 0 ? [] : [[name, one(values)]])),
    ),
  }
  const parts: [Part, z.ZodType | undefined, unknown][] = [
    ['params', row.params, given.params],
    ['query', row.query, given.query],
  ]
  if (row.body) {
    const parsed = parseJson(body ?? '')
    if (parsed === undefined) return [{ part: 'body', path: 'body', message: 'must be JSON' }]
    parts.push(['body', row.body, parsed])
  }
  return parts.flatMap(([part, schema, value]) => {
    const result = schema?.safeParse(value)
    if (!result || result.success) return []
    return fieldIssues(result.error.issues, value, part).map((issue) => ({ ...issue, part }))
  })
}

function one(values: readonly string[]): string | readonly string[] {
  return values.length === 1 ? (values[0] ?? '') : values
}

/** The request with the names of the sandbox's service; the body's text stays as it is where those are the contract's. */
function prepareRequest({ environment, endpoint, params, query, body }: Given): Prepared | { issues: PlacedIssue[] } {
  const profile = serviceProfile(environment)
  const bytes = body === null || endpointRow(endpoint).method === 'GET' ? null : Buffer.from(body)
  try {
    const parsed = parseJson(body ?? '')
    if (bytes === null || parsed === undefined || isContractProfile(profile)) {
      return prepareBytes(endpoint, bytes, { params, query }, profile)
    }
    return prepare(endpoint, inputFor(endpoint, { params, query, body: parsed }), profile)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const empty = Object.keys(endpointRow(endpoint).params?.shape ?? {})
    return { issues: empty.map((path) => ({ part: 'params', path, message: 'can’t be sent in a path' })) }
  }
}

/** The key of a change whose outcome is open stays for sending that change again: another request under it would take its place. */
async function requireFreeKey({ environment, sandbox, idempotencyKey, body }: Given): Promise<void> {
  if (sandbox !== undefined) return
  const inBody = (parseJson(body ?? '') as { idempotencyKey?: unknown } | null | undefined)?.idempotencyKey
  for (const key of [idempotencyKey, String(inBody)].filter(isUuid)) {
    const operation = await findOperation(database(), key)
    if (operation?.environment !== environment || operation.settledAt !== null) continue
    throw new AppError(
      'INVALID_PARAMETERS',
      'The idempotency key is that of a change whose outcome isn’t known yet. Use another key.',
    )
  }
}

async function send(given: Given, prepared: Prepared, by: Staff): Promise<Exchange> {
  const { environment, endpoint, signing, idempotencyKey, sandbox = null } = given
  const { method } = endpointRow(endpoint)
  const { headers } = serviceProfile(environment)
  const key = method === 'POST' && idempotencyKey !== '' ? idempotencyKey : null
  const raw = await sendRaw(
    connectionIn({ environment, sandbox }),
    {
      method,
      path: prepared.path,
      bytes: prepared.bytes,
      idempotencyKey: key,
      signing,
    },
    headers,
  )
  const error = parseError(raw)
  const requestId = raw.headers[headers.requestId]?.slice(0, 200) ?? null
  await noteSent(given, prepared, by, { raw, key, code: error.code, requestId })
  const deviations = findDeviations(environment, endpoint, raw, requestId)
  return { ...(await toShownExchange(given, raw)), deviations, issues: issuesFrom(error, endpoint) }
}

/** Writes what was sent into the audit log, and what was sent to the shared sandbox into the log of requests and the recording. */
async function noteSent(
  { environment, endpoint, signing, body, sandbox }: Given,
  { path, bytes }: Prepared,
  by: Staff,
  {
    raw,
    key,
    code,
    requestId,
  }: { raw: RawExchange; key: string | null; code: string | null; requestId: string | null },
): Promise<void> {
  const { method, path: called } = endpointRow(endpoint)
  const { status } = raw
  if (sandbox === undefined) {
    noteServiceCall(environment, {
      name: endpoint,
      method,
      path,
      bytes,
      idempotencyKey: null,
      isBackground: false,
      attempts: 1,
      status,
      text: raw.text,
      durationMs: raw.durationMs,
      code: raw.failure ?? code,
      requestId,
    })
  }
  await recordAudit(database(), {
    by,
    environment,
    act: 'explorer.send',
    target: endpointTarget(endpoint),
    outcome: exchangeOutcome(raw, method),
    code: code === null ? raw.failure : withoutCardNumbers(code),
    comment: [
      ...(sandbox === undefined ? [] : [`sandbox ${sandbox}`]),
      `HTTP ${status ?? 'none'}`,
      ...(signing === 'valid' ? [] : [`signing: ${signing}`]),
    ].join(', '),
    requestId,
  })
  if (sandbox === undefined && method === 'POST' && signing === 'valid') {
    const sent = secretRequests.has(endpoint) ? null : (parseJson(body ?? '') ?? null)
    const response = parseJson(raw.text ?? '') ?? {}
    await noteRecordedCall(by.id, { kind: 'call', method, path: called, body: sent, key, status, code, response })
  }
}

/** What a person sees of an exchange: without secrets, and without the card numbers that they may not see. */
async function toShownExchange({ environment, endpoint, signing }: Given, raw: RawExchange) {
  const { body } = await maskForReader({ body: bodyWithoutSecrets(endpoint, raw.text) }, environment)
  const shown = body?.slice(0, longestShown) ?? null
  return {
    endpoint,
    method: endpointRow(endpoint).method,
    url: urlWithoutCardNumbers(raw.url),
    requestHeaders: withShortToken(raw.requestHeaders),
    token: raw.token && {
      ...raw.token,
      claims: { ...raw.token.claims, uri: urlWithoutCardNumbers(String(raw.token.claims.uri)) },
    },
    signing,
    status: raw.status,
    headers: raw.headers,
    body: shown,
    isTruncated: shown !== null && shown.length < (body?.length ?? 0),
    failure: raw.failure,
    durationMs: raw.durationMs,
  }
}

const countRequest = minuteCounter('carddeskExplorerRequests')

/** The requests that one person may send in a minute, so that others can use the rate limit too. */
function requireBudget(staffId: string): void {
  if (countRequest(staffId, 1) <= requestsPerMinute) return
  throw new AppError('TOO_MANY_ATTEMPTS', `You sent ${requestsPerMinute} requests in a minute. Try again in a minute.`)
}
