import 'server-only'
import { and, eq, inArray, or } from 'drizzle-orm'
import type { CardAccount } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { fetchPages, findRecord } from '#lib/environments/paginate.ts'
import { toCardAccount } from '#lib/index/account-record.ts'
import { hasIdInAnyCase } from '#lib/index/conditions.ts'
import { inParallel } from '#lib/index/in-parallel.ts'
import { indexAccounts } from '#lib/index/index-accounts.ts'
import { isAppError, type AppErrorCode } from '#lib/shared/app-error.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { idKey, sameId, uniqueIds } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import type { RequestedLimit } from './file.ts'

export type FoundAccount = { account: CardAccount; readAt: Date }
export type FoundAccounts = {
  /** By `idKey`. */
  byId: ReadonlyMap<string, FoundAccount>
  byXid: ReadonlyMap<string, FoundAccount>
  /** Ids (`idKey`) and xids that were not read, over the bound or after a failed request: such an account may exist. */
  unrequested: ReadonlySet<string>
}

const atOnce = 1000
/** This many accounts that the index does not have are read from the service, some concurrently. */
const requestedAtMost = 60
const requestsAtOnce = 6
/** Pages of the whole list, which is read where more accounts than that are missing. */
const maximumPages = 100
const pagesForMs = 8 * secondMs

/** The accounts that lines name: from the index, and what that does not have from the service. */
export async function findAccounts(
  environment: Environment,
  requested: readonly RequestedLimit[],
): Promise<FoundAccounts> {
  const ids = uniqueIds(requested.flatMap(({ cardAccountId }) => cardAccountId ?? []))
  const xids = [...new Set(requested.flatMap(({ xid }) => xid ?? []))]
  const found: FoundAccount[] = []
  for (let first = 0; first < Math.max(ids.length, xids.length); first += atOnce) {
    found.push(
      ...(await readFromIndex(environment, ids.slice(first, first + atOnce), xids.slice(first, first + atOnce))),
    )
  }
  const known = indexFound(found)
  const missing = [
    ...ids.filter((id) => !known.byId.has(idKey(id))).map((cardAccountId) => ({ cardAccountId })),
    ...xids.filter((xid) => !known.byXid.has(xid)).map((xid) => ({ xid })),
  ]
  const unrequested = new Set(missing.slice(requestedAtMost).map(queryKey))
  await inParallel(missing.slice(0, requestedAtMost), requestsAtOnce, async (query) => {
    const response = await readFromService(environment, query)
    if (response) found.push(...response)
    else unrequested.add(queryKey(query))
  })
  return { ...indexFound(found), unrequested }
}

/** The first line whose id may be a card number, because it looks like one and the index has no such account; null where there is none. */
export async function findCardNumber(
  environment: Environment,
  requested: readonly RequestedLimit[],
): Promise<number | null> {
  const alike = requested.filter(({ cardAccountId }) => cardAccountId !== null && holdsCardNumber(cardAccountId))
  if (alike.length === 0) return null
  const { byId } = indexFound(
    await readFromIndex(
      environment,
      alike.flatMap(({ cardAccountId }) => cardAccountId ?? []),
      [],
    ),
  )
  return alike.find(({ cardAccountId }) => !byId.has(idKey(cardAccountId ?? '')))?.line ?? null
}

/**
 * The same accounts with these read from the service again: one by one, or from the pages of the list where they are many.
 * An account that could not be read, or is beyond the bound on requests, stays as it was found, which its `readAt` shows.
 */
export async function readAgain(
  environment: Environment,
  { byId, byXid, unrequested }: FoundAccounts,
  again: readonly FoundAccount[],
): Promise<FoundAccounts> {
  const ids = uniqueIds(again.map(({ account }) => account.id))
  const read: FoundAccount[] = []
  if (ids.length <= requestedAtMost) {
    await inParallel(ids, requestsAtOnce, async (cardAccountId) => {
      read.push(...((await readFromService(environment, { cardAccountId })) ?? []))
    })
  } else read.push(...(await readFromPages(environment, new Set(ids.map(idKey)))))
  const now = new Map(read.map((one) => [idKey(one.account.id), one]))
  const latest = (one: FoundAccount) => now.get(idKey(one.account.id)) ?? one
  return {
    byId: new Map([...byId].map(([id, one]) => [id, latest(one)])),
    byXid: new Map([...byXid].map(([xid, one]) => [xid, latest(one)])),
    unrequested,
  }
}

/** These accounts from the pages of the list, as far as the bounds go. A failed request ends the reading. */
async function readFromPages(environment: Environment, wanted: Set<string>): Promise<FoundAccount[]> {
  const found: FoundAccount[] = []
  const endMs = Date.now() + pagesForMs
  try {
    for await (const { response, fetchedAt } of fetchPages(environment, 'listCardAccounts', {}, { maximumPages })) {
      await indexAccounts(database(), environment, response.cardaccounts, fetchedAt)
      for (const account of response.cardaccounts) {
        if (wanted.delete(idKey(account.id))) found.push({ account, readAt: fetchedAt })
      }
      if (wanted.size === 0 || Date.now() > endMs) break
    }
  } catch (error) {
    if (!isAppError(error)) throw error
  }
  return found
}

type AccountQuery = { cardAccountId: string } | { xid: string }

function queryKey(query: AccountQuery): string {
  return 'xid' in query ? query.xid : idKey(query.cardAccountId)
}

function indexFound(found: readonly FoundAccount[]): Pick<FoundAccounts, 'byId' | 'byXid'> {
  return {
    byId: new Map(found.map((one) => [idKey(one.account.id), one])),
    byXid: new Map(found.flatMap((one) => (one.account.xid ? [[one.account.xid, one] as const] : []))),
  }
}

async function readFromIndex(environment: Environment, ids: string[], xids: string[]): Promise<FoundAccount[]> {
  const rows = await database()
    .select()
    .from(indexedAccounts)
    .where(
      and(
        eq(indexedAccounts.environment, environment),
        or(
          ids.length > 0 ? hasIdInAnyCase(indexedAccounts.id, ids) : undefined,
          xids.length > 0 ? inArray(indexedAccounts.xid, xids) : undefined,
        ),
      ),
    )
  return rows.map((row) => ({ account: toCardAccount(row), readAt: row.readAt }))
}

/** With these the service says that it has no such account, or that no id has this form. */
const unknownCodes = new Set<AppErrorCode>(['CARD_ACCOUNT_NOT_FOUND', 'INVALID_PARAMETERS'])

/** Null where the request failed: such an account may exist. */
async function readFromService(environment: Environment, query: AccountQuery): Promise<FoundAccount[] | null> {
  try {
    const { record, fetchedAt } = await findRecord(environment, 'listCardAccounts', query, {
      list: ({ cardaccounts }) => cardaccounts,
      isWanted: ({ id, xid }) => ('xid' in query ? xid === query.xid : sameId(id, query.cardAccountId)),
    })
    const accounts = record ? [record] : []
    await indexAccounts(database(), environment, accounts, fetchedAt)
    return accounts.map((account) => ({ account, readAt: fetchedAt }))
  } catch (error) {
    if (!isAppError(error)) throw error
    return unknownCodes.has(error.code) ? [] : null
  }
}
