import 'server-only'
import { type EndpointInput, inputFor } from '#lib/client/prepare.ts'
import { endpointText, type EndpointName } from '#lib/contract/endpoints.ts'
import type { ReceivedResponse } from '#lib/contract/records.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { textIn } from '#lib/shared/json.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { noteDeviation } from './deviations.ts'
import { callService } from './environments.ts'

/** The endpoints whose responses come in pages. */
export type PagedEndpoint = {
  [Name in EndpointName]: ReceivedResponse<Name> extends { nextPageToken: string | null } ? Name : never
}[EndpointName]

/**
 * One page of a list. `hasMore` after the last page that is fetched: `no`, or why fetching stopped before the end, which
 * is the bound on pages or a service that repeats a page or its token.
 */
export type Page<Name extends PagedEndpoint> = {
  response: ReceivedResponse<Name>
  /** Records of this page that were left out because they cannot be used. */
  excluded: number
  /** Whether a time of the page had no zone: none of it shows what was before what. */
  hasTimeWithoutZone: boolean
  fetchedAt: Date
  hasMore: 'next' | 'no' | 'limit' | 'repeated-token'
}

const pageSize = '100'

/** The pages of a list in order, at most `maximumPages`. Throws an `AppError` like every call of the service. */
export async function* fetchPages<Name extends PagedEndpoint>(
  environment: Environment,
  name: Name,
  query: object,
  { maximumPages }: { maximumPages: number },
): AsyncGenerator<Page<Name>, undefined> {
  const usedTokens = new Set<string>()
  const seenPages = new Set<string>()
  let pageToken: string | null = null
  for (let page = 1; ; page += 1) {
    const paged = { ...query, pageSize, ...(pageToken === null ? {} : { pageToken }) }
    const input: EndpointInput<Name> = inputFor(name, { query: paged })
    const { response, excluded, hasTimeWithoutZone, fetchedAt } = await callService(environment, name, input)
    const next: string | null = (response as { nextPageToken: string | null }).nextPageToken
    const edges = edgesOf(response)
    const isRepeated = (next !== null && usedTokens.has(next)) || (edges !== null && seenPages.has(edges))
    const hasMore = next === null ? 'no' : isRepeated ? 'repeated-token' : page >= maximumPages ? 'limit' : 'next'
    yield { response, excluded, hasTimeWithoutZone, fetchedAt, hasMore }
    if (hasMore !== 'next' || next === null) return
    usedTokens.add(next)
    if (edges !== null) seenPages.add(edges)
    pageToken = next
  }
}

/** The ids of the first and the last record of a page, which no other page of the list has; null where it has no ids. */
function edgesOf(response: object): string | null {
  const records = Object.values(response).find((value) => Array.isArray(value)) ?? []
  const [first, last] = [records.at(0), records.at(-1)].map((record: unknown) => textIn(record, 'id'))
  return first && last ? `${first} ${last}` : null
}

/**
 * Whether all that follows on a list is older than a time, by the times of a page of it: the interface names no order, so they have to
 * fall themselves, and the last one has to be older. Times are ISO 8601.
 */
export function isPastNewest(times: readonly (string | null | undefined)[], earliestMs: number): boolean {
  const instants = times.map((time) => Date.parse(time ?? ''))
  const [first = Number.NaN] = instants
  const last = instants.at(-1) ?? Number.NaN
  const fall = instants.every((instant, at) => at === 0 || (instants[at - 1] ?? Number.NaN) >= instant)
  return fall && first > last && last < earliestMs
}

/** Pages of a hundred records that are read for one record, at a service that ignores the filter. */
const searchedPages = 30

/**
 * The record that `filter` names; null where the list ended without it. A service that ignores the filter sends others as
 * well: its pages are read until the record comes, and the difference is recorded. Throws `SERVICE_REFUSED` where the list does
 * not end within the bound.
 */
export async function findRecord<Name extends PagedEndpoint, Item extends { id: string }>(
  environment: Environment,
  name: Name,
  filter: object,
  find: { list: (response: ReceivedResponse<Name>) => readonly Item[]; isWanted: (item: Item) => boolean },
): Promise<{ record: Item | null; excluded: number; fetchedAt: Date }> {
  let excluded = 0
  for await (const page of fetchPages(environment, name, filter, { maximumPages: searchedPages })) {
    const { response, fetchedAt, hasMore } = page
    excluded += page.excluded
    const listed = find.list(response)
    const wanted = listed.filter(find.isWanted)
    // Ids that differ in case alone may be of two records.
    const record = wanted.find(({ id }) => Object.values(filter).includes(id)) ?? wanted[0] ?? null
    if (wanted.length < listed.length) noteIgnoredFilter(environment, name, filter)
    if (record !== null || hasMore === 'no') return { record, excluded, fetchedAt }
    if (hasMore !== 'next') break
  }
  const message = `${endpointText(name)} lists other records than the requested one, which is not among the first ${searchedPages} pages.`
  throw new AppError('SERVICE_REFUSED', message)
}

/** The records of an account without those that name another, which a service sends that ignores the filter `cardAccountId`. */
export function recordsOfAccount<Item extends { cardAccountId: string | null }>(
  environment: Environment,
  name: EndpointName,
  records: readonly Item[],
  cardAccountId: string,
): Item[] {
  const own = records.filter((one) => !isOtherCode(one.cardAccountId, cardAccountId))
  if (own.length < records.length) noteIgnoredFilter(environment, name, { cardAccountId })
  return own
}

/** For each filter of a request: whether a record certainly is another one. A value that the service does not provide says nothing. */
export type OtherRecord<Item> = Record<string, (item: Item) => boolean>

/** The records without those that the filters do not name: a service may ignore a filter. `unmatched` counts those left out. */
export function matchingRecords<Item>(
  environment: Environment,
  name: EndpointName,
  records: readonly Item[],
  filters: OtherRecord<Item>,
): { matching: Item[]; unmatched: number } {
  const ignored = Object.entries(filters).filter(([, isOther]) => records.some(isOther))
  if (ignored.length === 0) return { matching: [...records], unmatched: 0 }
  noteIgnoredFilter(environment, name, Object.fromEntries(ignored))
  const matching = records.filter((record) => !ignored.some(([, isOther]) => isOther(record)))
  return { matching, unmatched: records.length - matching.length }
}

/** Whether a code or an id is none of the wanted ones, in whatever case. A missing one may be any of them. */
export function isOtherCode(code: string | null | undefined, wanted: string | readonly string[] | undefined): boolean {
  if (code === null || code === undefined || wanted === undefined || code === wanted) return false
  return ![wanted].flat().some((one) => one.toLowerCase() === code.toLowerCase())
}

/** Whether every time of a record is outside of a range: the interface does not say which of them a range is about. */
export function isOutside(
  times: readonly (string | null | undefined)[],
  { dateRangeFrom: from, dateRangeTo: to }: { dateRangeFrom?: string | undefined; dateRangeTo?: string | undefined },
): boolean {
  if (from === undefined && to === undefined) return false
  const known = times.flatMap((time) => (time ? Date.parse(time) : []))
  const isBefore = (ms: number) => from !== undefined && ms < Date.parse(from)
  const isAfter = (ms: number) => to !== undefined && ms > Date.parse(to)
  return known.length > 0 && known.every((ms) => isBefore(ms) || isAfter(ms))
}

function noteIgnoredFilter(environment: Environment, name: EndpointName, filter: object): void {
  const names = Object.keys(filter).join(', ')
  const difference = { path: '', expected: `only what ${names} names`, found: 'other records' }
  noteDeviation(environment, { name, requestId: null, differences: [difference], unknownFields: [] })
}
