import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { FeeEntry } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { hasId } from '#lib/index/conditions.ts'
import { inParallel } from '#lib/index/in-parallel.ts'
import { maximumBulkItems } from '#lib/operations/bulk/start.ts'
import { AppError, nullOn } from '#lib/shared/app-error.ts'
import { idKey, uniqueIds } from '#lib/shared/ids.ts'
import { minuteCounter } from '#lib/shared/minute-counter.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { feeCondition, type ParsedFeeFilters } from './fee-filters.ts'
import { accountsAtOnce, feeFreshness } from './fee-freshness.ts'
import { readFeesOfAccounts, readOneFee } from './index-fees.ts'

/** `missing` are ids that the service does not know. */
export type FoundFees = { fees: FeeEntry[]; missing: string[]; isTruncated: boolean; fetchedAt: Date }

/** Up to this many are looked up one by one, which costs less than fetching lists; no request looks up more. */
const oneByOne = 25
/** This many unknown ids end the look-up: fees are never deleted, so the rest is not known either. */
const mostUnknown = 10
/** A few at a time, so that a long list does not use the whole rate limit at once. */
export const feesAtOnce = 6

/**
 * These fees, or all that a filter matches in the index, each as the service has it now, at the expense of a person's budget. Throws
 * `INVALID_PARAMETERS` where the service lists too many of them no more or too many are of no card account, and `TOO_MANY_ATTEMPTS`.
 */
export async function readChosenFees(
  environment: Environment,
  feeIds: readonly string[] | null,
  filters: ParsedFeeFilters,
  staffId: string,
): Promise<FoundFees> {
  requireBudget(staffId)
  const fetchedAt = new Date()
  await feeFreshness.forReader(environment)
  const indexed = feeIds?.length === 0 ? [] : await findIndexed(environment, feeIds, filters)
  const ids = feeIds ?? indexed.slice(0, maximumBulkItems).map(({ id }) => id)
  const accountIds = ids.length > oneByOne ? uniqueIds(indexed.flatMap(({ cardAccountId }) => cardAccountId ?? [])) : []
  const found = new Map<string, FeeEntry>()
  for (let at = 0; at < accountIds.length; at += accountsAtOnce) {
    requireBudget(staffId)
    const some = accountIds.slice(at, at + accountsAtOnce)
    for (const fee of await readFeesOfAccounts(environment, some, () => void spend(staffId, 1)))
      found.set(idKey(fee.id), fee)
  }
  const isMissing = (id: string) => !found.has(idKey(id))
  const others = ids.filter(isMissing)
  const ofNoAccount = new Set(indexed.flatMap(({ id, cardAccountId }) => (cardAccountId === null ? idKey(id) : [])))
  const listed = others.filter((id) => ofNoAccount.has(idKey(id))).length
  if (listed > oneByOne) throw tooManyOfNoAccount()
  if (others.length > oneByOne) throw notListed(others.length - listed)
  for (const fee of await readEach(environment, others, staffId)) found.set(idKey(fee.id), fee)
  return {
    fees: ids.flatMap((id) => found.get(idKey(id)) ?? []),
    missing: ids.filter(isMissing),
    isTruncated: !feeIds && indexed.length > ids.length,
    fetchedAt,
  }
}

/** Those that can be waived first, the newest of them first. One more than a job takes shows that there are more. */
function findIndexed(environment: Environment, feeIds: readonly string[] | null, filters: ParsedFeeFilters) {
  const { id, cardAccountId, status, createdAt } = indexedFees
  return database()
    .select({ id, cardAccountId })
    .from(indexedFees)
    .where(
      feeIds ? and(eq(indexedFees.environment, environment), hasId(id, feeIds)) : feeCondition(environment, filters),
    )
    .orderBy(sql`${status} = 'void' nulls first`, sql`${createdAt} desc nulls last`, id)
    .limit(maximumBulkItems + 1)
}

async function readEach(environment: Environment, ids: readonly string[], staffId: string): Promise<FeeEntry[]> {
  const fees: FeeEntry[] = []
  let unknown = 0
  await inParallel(ids, feesAtOnce, async (id) => {
    if (unknown >= mostUnknown) return
    spend(staffId, 1)
    const read = await nullOn(readOneFee(environment, id), 'FEE_NOT_FOUND')
    if (read) fees.push(read.fee)
    else unknown += 1
  })
  if (unknown >= mostUnknown && ids.length > mostUnknown) throw notListed(ids.length)
  return fees
}

function tooManyOfNoAccount(): AppError {
  const most = `At most ${oneByOne} fees that are not of a card account can be chosen at once.`
  return new AppError('INVALID_PARAMETERS', most)
}

function notListed(count: number): AppError {
  return new AppError(
    'INVALID_PARAMETERS',
    `The card service doesn’t list ${count} of the chosen fees. Reload the list and choose again.`,
  )
}

/** Requests to the service that choosing fees may cost a person in a minute: three times the longest list, read twice. */
const requestsPerMinute = 300

const spend = minuteCounter('carddeskFeeRequests')

/** The service limits the requests of the whole console, so one person may not use them all. */
function requireBudget(staffId: string): void {
  if (spend(staffId, 0) < requestsPerMinute) return
  throw new AppError('TOO_MANY_ATTEMPTS', 'You looked up too many fees in a minute. Try again in a minute.')
}
