import 'server-only'
import type { FeeEntry } from '#lib/contract/records.ts'
import { callService } from '#lib/environments/environments.ts'
import { fetchPages, findRecord, isOtherCode, isOutside, matchingRecords } from '#lib/environments/paginate.ts'
import { orNotFound, AppError } from '#lib/shared/app-error.ts'
import { sameId } from '#lib/shared/ids.ts'
import { searchTerms } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withAccounts } from './accounts.ts'
import type { ParsedFeeFilters } from './filter.ts'
import { cardAccountOf } from './record.ts'
import type { FeeRow } from './types.ts'

/** As many fees as are read for totals and for a bulk waiver: fifty pages. */
export const fetchedFees = 5000
const maximumPages = 250

/**
 * All fees of a filter, newest first, up to `fetchedFees`; `isCut` where there are more, or the service repeats a page.
 * `excluded` counts records without an id, `unmatched` those that are not of the filter.
 */
export type FetchedFees = {
  fees: FeeEntry[]
  excluded: number
  unmatched: number
  isCut: boolean
  fetchedAt: Date
  pages: number
}

/** One page, as the service returns it, without the fees that are not of the filter. */
export async function fetchFees(
  environment: Environment,
  { pageSize, q: _q, status: _status, ...filters }: ParsedFeeFilters,
) {
  const page = await callService(environment, 'listFees', {
    query: { ...filters, ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }) },
  })
  const { matching, unmatched } = matchingFees(environment, page.response.fees, filters)
  return { ...page, unmatched, response: { ...page.response, fees: matching } }
}

function matchingFees(environment: Environment, fees: readonly FeeEntry[], filters: ParsedFeeFilters) {
  const { feeId, intent, xid, accountId } = filters
  return matchingRecords<FeeEntry>(environment, 'listFees', fees, {
    feeId: ({ id }) => feeId !== undefined && !sameId(id, feeId),
    intent: (fee) => isOtherCode(fee.intent, intent),
    xid: ({ transaction }) => isOtherCode(transaction?.xid, xid),
    accountId: (fee) => isOtherAccount(cardAccountOf(fee), accountId),
    dateRange: ({ createdAt, transaction }) => isOutside([createdAt, ...timesOf(transaction)], filters),
  })
}

/** A fee of a funding account names no card account, and an account's id may have two forms. */
function isOtherAccount(cardAccountId: string | null, wanted: readonly string[] | undefined): boolean {
  if (cardAccountId === null || wanted === undefined) return false
  return !wanted.some((id) => sameId(id, cardAccountId))
}

function timesOf(transaction: FeeEntry['transaction']): (string | null)[] {
  if (transaction === null) return []
  return 'postedAt' in transaction ? [transaction.createdAt, transaction.postedAt] : [transaction.createdAt]
}

/** Whether a filter has a part that the interface cannot filter by: the console then reads all of the rest. */
export function isNarrowedHere({ q, status }: ParsedFeeFilters): boolean {
  return Boolean(q?.trim()) || (status?.length ?? 0) > 0
}

/** Reads every page of a filter, whatever page it names itself, and leaves out what the console's own filters do. */
export async function paginateFees(environment: Environment, filters: ParsedFeeFilters): Promise<FetchedFees> {
  const fetched = await paginateService(environment, filters)
  return isNarrowedHere(filters) ? { ...fetched, fees: await narrowed(environment, fetched.fees, filters) } : fetched
}

/** The fees that have one of the statuses and every term of the text. */
async function narrowed(
  environment: Environment,
  fees: readonly FeeEntry[],
  { q = '', status = [] }: ParsedFeeFilters,
): Promise<FeeEntry[]> {
  const ofStatus = status.length === 0 ? [...fees] : fees.filter((fee) => status.includes(fee.status ?? ''))
  const terms = searchTerms(q)
  if (terms.length === 0) return ofStatus
  const rows = await withAccounts(environment, ofStatus)
  return rows.filter((row) => terms.every((term) => searchText(row).includes(term))).map(({ fee }) => fee)
}

function searchText({ fee: { id, intent, transaction }, account }: FeeRow): string {
  const charged = transaction && 'merchant' in transaction ? [transaction.refId, transaction.cardLast4] : []
  const whom = account?.kind === 'card-account' ? [account.id, account.name, account.xid] : [account?.label]
  return [
    id,
    intent,
    intent?.replaceAll('-', ' '),
    transaction?.id,
    transaction?.xid,
    transaction?.description,
    ...charged,
    ...whom,
  ]
    .filter(Boolean)
    .join('\n')
    .toLowerCase()
}

async function paginateService(environment: Environment, filters: ParsedFeeFilters): Promise<FetchedFees> {
  const { pageToken: _pageToken, pageSize: _pageSize, q: _q, status: _status, ...narrowing } = filters
  const fetchedAt = new Date()
  const found = new Map<string, FeeEntry>()
  let [pages, excluded, unmatched, isCut] = [0, 0, 0, false]
  for await (const page of fetchPages(environment, 'listFees', narrowing, { maximumPages })) {
    pages += 1
    excluded += page.excluded
    const { matching, unmatched: others } = matchingFees(environment, page.response.fees, filters)
    unmatched += others
    for (const fee of matching) found.set(fee.id.toLowerCase(), fee)
    isCut = page.hasMore !== 'no' || found.size > fetchedFees
    if (found.size >= fetchedFees) break
  }
  return { fees: [...found.values()].slice(0, fetchedFees), excluded, unmatched, isCut, fetchedAt, pages }
}

/** The fee as the service has it now. Throws `FEE_NOT_FOUND`, also where the service refuses the id's form. */
export async function readOneFee(environment: Environment, feeId: string): Promise<{ fee: FeeEntry; fetchedAt: Date }> {
  const isWanted = ({ id }: FeeEntry) => sameId(id, feeId)
  const finding = findRecord(environment, 'listFees', { feeId }, { list: ({ fees }) => fees, isWanted })
  const { record: fee, fetchedAt } = await orNotFound(finding, feeNotFound)
  if (!fee) throw feeNotFound()
  return { fee, fetchedAt }
}

export function feeNotFound(): AppError {
  return new AppError('FEE_NOT_FOUND', 'There is no such fee in this environment.')
}
