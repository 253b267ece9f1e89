import 'server-only'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { identitySearch } from '#lib/api/identity.ts'
import { database } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import { toAccountCondition } from '#lib/index/account-filter.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { readAccountCoverage } from '#lib/index/accounts-sync.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { listIndexedAccounts, rejectedIn } from '#lib/index/list-accounts.ts'
import { filterSchemas } from '#lib/index/search-schema.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { asFields, parseJson, textIn } from '#lib/shared/json.ts'
import { parseSearch, plainText, listPage } from '#lib/shared/parse.ts'
import { having, present } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { operations } from '#lib/tables/operations.ts'
import { fetchIdentity, refreshRejections, findStoredIdentity } from './rejections.ts'
import type { IdentityCase, IdentityList, IdentityStep } from './types.ts'

const IdentityFilters = z
  .object({ ...filterSchemas(identitySearch.filters), status: plainText(64), ...listPage })
  .partial()
export type IdentityFilters = z.input<typeof IdentityFilters>

/** Card accounts by identity status, those that were opened first at the top. Throws an `AppError`. */
export async function listIdentities(environment: Environment, search: IdentityFilters): Promise<IdentityList> {
  const { status, reason, ...rest } = parseSearch(IdentityFilters, search)
  requireService(environment)
  await freshenForReader(environment)
  const filters = { ...rest, identity: status, rejectedReason: reason }
  const [page, matching, groups, coverage, health] = await Promise.all([
    listIndexedAccounts(environment, { ...filters, sort: 'createdAt', direction: 'asc' }),
    database().$count(account, toAccountCondition(environment, filters)),
    countIdentities(environment),
    readAccountCoverage(environment),
    readHealth(environment),
  ])
  refreshRejections(environment, rejectedIn(page.rows))
  return { ...page, matching, ...groups, coverage, health }
}

function countIdentities(environment: Environment): Promise<Pick<IdentityList, 'counts' | 'reasons'>> {
  return cachedByCost(`identities ${environment}`, async () => {
    const reason = sql<
      string | null
    >`case when ${account.clientIdentityStatus} = 'rejected' then ${account.rejectedReason} end`
    const rows = await database()
      .select({
        status: account.clientIdentityStatus,
        reason: reason.as('reason'),
        accounts: sql<number>`count(*)::int`,
      })
      .from(account)
      .where(eq(account.environment, environment))
      .groupBy(account.clientIdentityStatus, sql`2`)
    const counts = new Map<string | null, number>()
    for (const { status, accounts } of rows) counts.set(status, (counts.get(status) ?? 0) + accounts)
    return {
      counts: [...counts].map(([status, accounts]) => ({ status, accounts })),
      reasons: having(rows, 'reason')
        .map(({ reason, accounts }) => ({ reason, accounts }))
        .toSorted((one, other) => other.accounts - one.accounts || one.reason.localeCompare(other.reason)),
    }
  })
}

/**
 * The identity of one account from the service, with its history; while the service does not respond, as last read.
 * Throws `CARD_ACCOUNT_NOT_FOUND`.
 */
export async function readIdentityCase(environment: Environment, cardAccountId: string): Promise<IdentityCase> {
  const { account: record, identity, fetchedAt, source } = await readIdentityOrStored(environment, cardAccountId)
  const { createdAt, clientIdentityStatus } = record
  const status = identity.status ?? clientIdentityStatus
  const [events, resubmissions] = await Promise.all([
    readIdentityEvents(environment, record.id),
    readResubmissions(environment, record.id),
  ])
  const { rejectedReason } = identity
  return {
    account: record,
    identity: { ...identity, status },
    history: identityHistory({ createdAt, status, rejectedReason }, events, resubmissions),
    freshness: { asOf: fetchedAt.toISOString(), source, health: await readHealth(environment) },
  }
}

async function readIdentityOrStored(environment: Environment, cardAccountId: string) {
  try {
    // First the account: its indexed row is where the identity is stored.
    const { account: record } = await readOneAccount(environment, cardAccountId)
    const { identity, fetchedAt } = await fetchIdentity(environment, record.id)
    return { account: record, identity, fetchedAt, source: 'service' as const }
  } catch (error) {
    if (!isAppError(error) || error.code !== 'SERVICE_UNREACHABLE') throw error
    const stored = await findStoredIdentity(environment, cardAccountId)
    if (!stored) throw error
    return { ...stored, source: 'index' as const }
  }
}

async function readIdentityEvents(environment: Environment, cardAccountId: string) {
  const { id, event, body, time, receivedAt, position } = inboxEvents
  const rows = await database()
    .select({ id, event, body, time, receivedAt })
    .from(inboxEvents)
    .where(
      and(
        eq(inboxEvents.environment, environment),
        sql`lower(${inboxEvents.cardAccountId}) = ${cardAccountId.toLowerCase()}`,
        inArray(event, Object.keys(identityEvents)),
      ),
    )
    .orderBy(asc(position))
  return rows.map((row) => ({ ...row, at: (row.time ?? row.receivedAt).toISOString() }))
}

async function readResubmissions(environment: Environment, cardAccountId: string) {
  const rows = await database()
    // By the service's clock, like the events: a sandbox's may be days ahead.
    .select({
      at: sql`coalesce(${operations.serviceCreatedAt}, ${operations.createdAt})`.mapWith(operations.createdAt),
      by: operations.staffName,
      statusBefore: operations.statusBefore,
      expected: operations.expected,
    })
    .from(operations)
    .where(
      and(
        eq(operations.environment, environment),
        eq(operations.targetId, cardAccountId),
        eq(operations.kind, 'identity.resubmit'),
        eq(operations.state, 'done'),
      ),
    )
    .orderBy(asc(operations.createdAt))
  return rows.map(({ at, by, statusBefore, expected }) => ({
    at: at.toISOString(),
    by,
    responds: statusBefore === 'rejected',
    rejectedReason: expected?.rejectedReason ?? null,
  }))
}

type IdentityTimes = { createdAt: string | null; status: string | null; rejectedReason: string | null }
/** An event of the inbox: `body` is the exact text of its delivery. */
type ReportedEvent = { id: string; event: string; body: string; at: string }
/** `responds`: the identity was rejected before it, for `rejectedReason` where the service said why. */
type Resubmission = { at: string; by: string; responds: boolean; rejectedReason: string | null }

const identityEvents = {
  'cardaccount.created': 'submitted',
  'cardaccount.client-identity.approved': 'approved',
  'cardaccount.client-identity.rejected': 'rejected',
} as const

/** The step that leads to a status; null for an unknown status. */
const stepsInto: Record<string, readonly IdentityStep['kind'][]> = {
  pending: ['resubmitted', 'submitted'],
  approved: ['approved'],
  rejected: ['rejected'],
}

/**
 * The history of an identity, oldest first. Where the steps do not lead to the present status, the last step is
 * inferred: its event was not received, or it was submitted again elsewhere, which no event reports.
 */
export function identityHistory(
  { createdAt, status, rejectedReason }: IdentityTimes,
  events: readonly ReportedEvent[],
  resubmissions: readonly Resubmission[],
): IdentityStep[] {
  const reported = present(events.map(toIdentityStep))
  const first = reported.find(({ kind }) => kind === 'submitted')
  const submitted: IdentityStep = {
    ...(first ?? { ...blank, source: 'record' as const }),
    kind: 'submitted',
    at: createdAt ?? first?.at ?? null,
  }
  const later: IdentityStep[] = [
    ...reported.filter(({ kind }) => kind !== 'submitted'),
    ...resubmissions.map(({ at, by }) => ({
      ...blank,
      kind: 'resubmitted' as const,
      at,
      by,
      source: 'operation' as const,
    })),
  ].toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? ''))
  const steps = withRejections([submitted, ...later], resubmissions)
  const last = steps.at(-1) ?? submitted
  const expected = status !== null && Object.hasOwn(stepsInto, status) ? (stepsInto[status] ?? []) : []
  const [kind] = expected
  const isOtherReason = last.kind === 'rejected' && rejectedReason !== null && last.rejectedReason !== rejectedReason
  if (kind === undefined || (expected.includes(last.kind) && !isOtherReason)) return steps
  return [...steps, { ...blank, kind, source: 'inferred', rejectedReason: kind === 'rejected' ? rejectedReason : null }]
}

/** Adds the rejection that a resubmission responds to, where no event reported it. */
function withRejections(steps: readonly IdentityStep[], resubmissions: readonly Resubmission[]): IdentityStep[] {
  return steps.flatMap((step, place) => {
    const response = step.kind === 'resubmitted' && resubmissions.find(({ at }) => at === step.at)
    if (!response || !response.responds || steps[place - 1]?.kind === 'rejected') return [step]
    const { rejectedReason } = response
    return [{ ...blank, kind: 'rejected' as const, source: 'inferred' as const, rejectedReason }, step]
  })
}

const blank = { at: null, rejectedReason: null, event: null, by: null }

function toIdentityStep({ id, event, body, at }: ReportedEvent): IdentityStep | null {
  if (!Object.hasOwn(identityEvents, event)) return null
  const kind = identityEvents[event as keyof typeof identityEvents]
  return {
    ...blank,
    kind,
    at,
    source: 'event',
    event: { id, name: event },
    rejectedReason: kind === 'rejected' ? reasonIn(body) : null,
  }
}

function reasonIn(body: string): string | null {
  return textIn(asFields(parseJson(body)).data, 'rejectedReason') || null
}
