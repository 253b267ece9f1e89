import 'server-only'
import { and, asc, eq, gte, isNull, lte, notInArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { endpointRow } from '#lib/contract/endpoints.ts'
import { database } from '#lib/db/connection.ts'
import { action } from '#lib/gate/action.ts'
import { openBody, type OperationRow } from '#lib/operations/journal.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { findCreation } from '#lib/qa/scenarios/calls.ts'
import { recordedScenario, type RecordedCall } from '#lib/qa/scenarios/record.ts'
import { scenarioRecordings } from '#lib/qa/tables.ts'
import { maskCardNumbersInJson, withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { asFields } from '#lib/shared/json.ts'
import { logFailure } from '#lib/shared/log.ts'
import { amount, toWire } from '#lib/shared/money.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { timeZones } from '#lib/shared/time.ts'
import { zonedIsoTime } from '#lib/shared/wall-clock.ts'
import { operations, type OperationState } from '#lib/tables/operations.ts'
import { fileResponse, scenarioSchemaUrl } from './scenario-file.ts'
import type { Recording } from './types.ts'

const Record = z.object({
  environment: EnvironmentName,
  isRecording: z.boolean('must be true or false'),
})

const mostCalls = 200

/** Operations of these states were not sent, or not yet. */
const neverSent: OperationState[] = ['waiting', 'declined', 'expired', 'withdrawn', 'queued', 'approved', 'not-sent']

/** Starts recording the person's actions in the sandbox, or stops. A new recording replaces the last one. */
export const recordScenario = action('recordScenario', {
  input: Record,
  run: async ({ isRecording }, { staff }): Promise<{ kind: 'recorded' } | NotStarted> => {
    const now = new Date()
    const started = { startedAt: now, stoppedAt: null, calls: [] }
    if (isRecording) {
      await database()
        .insert(scenarioRecordings)
        .values({ staffId: staff.id, ...started })
        .onConflictDoUpdate({ target: scenarioRecordings.staffId, set: started })
    } else {
      await database()
        .update(scenarioRecordings)
        .set({ stoppedAt: now })
        .where(and(eq(scenarioRecordings.staffId, staff.id), isNull(scenarioRecordings.stoppedAt)))
    }
    return { kind: 'recorded' }
  },
})

/** A request of the control plane, a simulator or the API explorer. The journal of operations does not have it. */
type NotedCall = {
  kind: RecordedCall['kind']
  method: string
  path: string
  body: unknown
  key?: string | null
  /** Null: no response came. */
  status?: number | null
  code?: string | null
  response: unknown
}

/** Adds a request to the person's recording, where one is under way. It never fails. */
export async function noteRecordedCall(staffId: string, call: NotedCall): Promise<void> {
  const { kind, key = null, status = 200, code = null } = call
  const [path, search] = call.path.split('?')
  const name = `${call.method} ${path}`
  const noted = {
    kind,
    call: name,
    query: Object.fromEntries(new URLSearchParams(search)),
    body: call.body === null ? null : (JSON.parse(maskCardNumbersInJson(JSON.stringify(call.body))) as unknown),
    key: key === null ? null : withoutCardNumbers(key),
    status,
    code,
    made: status !== null && status < 400 ? madeBy(kind, name, call.response) : null,
    at: new Date().toISOString(),
  }
  await database()
    .update(scenarioRecordings)
    .set({ calls: sql`${scenarioRecordings.calls} || ${JSON.stringify([noted])}::jsonb` })
    .where(
      and(
        eq(scenarioRecordings.staffId, staffId),
        isNull(scenarioRecordings.stoppedAt),
        sql`jsonb_array_length(${scenarioRecordings.calls}) < ${mostCalls}`,
      ),
    )
    .catch((error: unknown) => logFailure(error, { while: 'recording a call of the lab' }))
}

function madeBy(kind: RecordedCall['kind'], call: string, response: unknown): RecordedCall['made'] {
  const field = findCreation(kind, call)?.field
  if (field === undefined) return null
  const id = asFields(response)[field]
  // The id of a fault is a number.
  if (typeof id === 'number') return { field, id: String(id) }
  return typeof id === 'string' && id ? { field, id } : null
}

/** The recording of the person who is signed in; null before the first. */
export async function readOwnRecording(staffId: string): Promise<Recording | null> {
  const [row] = await database().select().from(scenarioRecordings).where(eq(scenarioRecordings.staffId, staffId))
  if (!row) return null
  const steps = await readRecordedCalls(row)
  return { startedAt: row.startedAt.toISOString(), isRecording: row.stoppedAt === null, steps: steps.length }
}

/** The recording of the person who is signed in, as a scenario file. */
export async function recordedYaml(_environment: Environment): Promise<Response> {
  const { staff } = await requireCurrentStaff()
  const [row] = await database().select().from(scenarioRecordings).where(eq(scenarioRecordings.staffId, staff.id))
  const calls = row ? await readRecordedCalls(row) : []
  const at = row ? zonedIsoTime(row.startedAt, timeZones.hkt).slice(0, 16).replace('T', ' ') : ''
  const title = `Recorded ${at} HKT`
  const text = calls.length === 0 ? '# Nothing is recorded.\n' : recordedScenario(title, calls, scenarioSchemaUrl())
  return fileResponse('recorded.yaml', 'application/yaml', text)
}

/** The actions that were sent from the start to the end of a recording, in order. A body that held a secret is left out. */
async function readRecordedCalls(row: typeof scenarioRecordings.$inferSelect): Promise<RecordedCall[]> {
  const rows = await database()
    .select()
    .from(operations)
    .where(
      and(
        eq(operations.environment, 'sandbox'),
        eq(operations.staffId, row.staffId),
        notInArray(operations.state, neverSent),
        gte(operations.createdAt, row.startedAt),
        lte(operations.createdAt, row.stoppedAt ?? new Date()),
      ),
    )
    .orderBy(asc(operations.createdAt))
    .limit(mostCalls)
  const quoted = new Set<string>()
  const done = rows.flatMap((operation) => {
    const { method, path } = endpointRow(operation.endpoint)
    const body = operation.holdsSecret ? null : openBody(operation)
    const call: RecordedCall = {
      kind: 'call',
      call: `${method} ${path}`,
      body: body === null ? null : (JSON.parse(maskCardNumbersInJson(body.toString())) as unknown),
      status: operation.status,
      code: operation.code,
      made:
        operation.resultId !== null && findCreation('call', `${method} ${path}`)
          ? { field: 'id', id: operation.resultId }
          : null,
    }
    const quote = quoteBefore(operation, call)
    const quoteId = quote?.made?.id
    const isNew = quoteId !== undefined && !quoted.has(quoteId)
    if (isNew) quoted.add(quoteId)
    const at = operation.createdAt.toISOString()
    return [...(quote && isNew ? [quote] : []), call].map((one) => ({ at, call: one }))
  })
  const controls = row.calls.map(({ at, ...call }) => ({ at, call }))
  return [...done, ...controls].toSorted((one, other) => one.at.localeCompare(other.at)).map(({ call }) => call)
}

/** The quote that a payout executed, as a step: a recorded one has expired or was used. Null where the payout was refused for its quote. */
function quoteBefore({ endpoint, expected }: OperationRow, { body, code }: RecordedCall): RecordedCall | null {
  if (endpoint !== 'executePayout' || !expected || body === null || code?.startsWith('QUOTE_')) return null
  const { quoteId, destination, source } = asFields(body)
  if (typeof quoteId !== 'string') return null
  const { method, accountId, sourceCurrency, country, destinationCurrency, destinationAmount } = expected
  return {
    kind: 'call',
    call: 'POST /payouts/quote',
    body: {
      method,
      accountId,
      sourceCurrency,
      destinationCountry: country,
      destinationCurrency,
      destinationAmount: toWire(amount(destinationAmount ?? '')),
      destination,
      ...(source === undefined ? {} : { source }),
    },
    status: 200,
    code: null,
    made: { field: 'id', id: quoteId },
  }
}
