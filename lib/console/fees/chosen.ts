import 'server-only'
import type { FeeEntry } from '#lib/contract/records.ts'
import { AppError, orNull } from '#lib/shared/app-error.ts'
import { inParallel } from '#lib/shared/in-parallel.ts'
import { minuteCounter } from '#lib/shared/minute-counter.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { ParsedFeeFilters } from './filter.ts'
import { readOneFee, paginateFees } from './read.ts'

/** `missing` are ids that the service does not know; `excluded` counts records of the list that came without an id. */
export type FoundFees = { fees: FeeEntry[]; missing: string[]; excluded: number; isCut: boolean; fetchedAt: Date }

/** Up to this many are looked up one by one, which costs less than fetching a list; no request looks up more. */
const oneByOne = 25
/** This many unknown ids end the look-up: fees are never deleted, so the rest is not known either. */
const mostUnknown = 10
/** A few at a time, so that a long list does not use the whole rate limit at once. */
export const feesAtOnce = 6

/**
 * The fees as the service has them now, at the expense of a person's budget. Throws `INVALID_PARAMETERS` where too many ids are
 * in no list, and `TOO_MANY_ATTEMPTS`.
 */
export async function readChosenFees(
  environment: Environment,
  feeIds: readonly string[] | null,
  filters: ParsedFeeFilters,
  staffId: string,
): Promise<FoundFees> {
  requireBudget(staffId)
  if (feeIds === null) return { ...(await paginateWithinBudget(environment, filters, staffId)), missing: [] }
  const fetchedAt = new Date()
  const listed = feeIds.length > oneByOne ? (await paginateWithinBudget(environment, filters, staffId)).fees : []
  const found = new Map(listed.map((fee) => [fee.id.toLowerCase(), fee]))
  const isMissing = (id: string) => !found.has(id.toLowerCase())
  const others = feeIds.filter(isMissing)
  if (others.length > oneByOne) throw notListed(others.length)
  for (const fee of await readEach(environment, others, staffId)) found.set(fee.id.toLowerCase(), fee)
  const fees = feeIds.flatMap((id) => found.get(id.toLowerCase()) ?? [])
  return { fees, missing: feeIds.filter(isMissing), excluded: 0, isCut: false, fetchedAt }
}

async function paginateWithinBudget(environment: Environment, filters: ParsedFeeFilters, staffId: string) {
  const listed = await paginateFees(environment, filters)
  spend(staffId, listed.pages)
  return listed
}

async function readEach(environment: Environment, ids: readonly string[], staffId: string): Promise<FeeEntry[]> {
  const fees: FeeEntry[] = []
  let unknown = 0
  await inParallel(ids, feesAtOnce, async (id) => {
    if (unknown >= mostUnknown) return
    spend(staffId, 1)
    const read = await orNull(readOneFee(environment, id), 'FEE_NOT_FOUND')
    if (read) fees.push(read.fee)
    else unknown += 1
  })
  if (unknown >= mostUnknown && ids.length > mostUnknown) throw notListed(ids.length)
  return fees
}

function notListed(count: number): AppError {
  return new AppError(
    'INVALID_PARAMETERS',
    `${count} of the chosen fees aren't in this list. Reload the list and choose again.`,
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
