import 'server-only'
import { and, eq, inArray, or } from 'drizzle-orm'
import type { CardAccount } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { accountOf } from '../directory/account-record.ts'
import { mirrorAccounts } from '../directory/mirror.ts'
import { askService } from '../environments.ts'
import { isRefusal } from '../refusal.ts'
import { directoryAccounts } from '../tables/directory.ts'
import type { AskedLimit } from './file.ts'

export type FoundAccount = { account: CardAccount; readAt: Date }
export type FoundAccounts = {
  byId: ReadonlyMap<string, FoundAccount>
  byXid: ReadonlyMap<string, FoundAccount>
  /** Ids and xids of which the service could not be asked: it is not known whether there is such an account. */
  unasked: ReadonlySet<string>
}

const atOnce = 1000
/** Accounts that the directory does not have: the service is asked for so many of them, some side by side. */
const askedAtMost = 60
const askersAtOnce = 6

/** The accounts that lines name: from the directory, and what that does not have from the service. */
export async function findAccounts(environment: Environment, asked: readonly AskedLimit[]): Promise<FoundAccounts> {
  const named = (key: 'cardAccountId' | 'xid') => [
    ...new Set(asked.flatMap((line) => (line[key] === null ? [] : [line[key]]))),
  ]
  const ids = named('cardAccountId').filter(isUuid)
  const xids = named('xid')
  const found: FoundAccount[] = []
  for (let first = 0; first < Math.max(ids.length, xids.length); first += atOnce) {
    found.push(
      ...(await fromDirectory(environment, ids.slice(first, first + atOnce), xids.slice(first, first + atOnce))),
    )
  }
  const known = indexOf(found)
  const missing = [
    ...ids.filter((id) => !known.byId.has(id)).map((cardAccountId) => ({ cardAccountId })),
    ...xids.filter((xid) => !known.byXid.has(xid)).map((xid) => ({ xid })),
  ]
  const unasked = new Set(missing.slice(askedAtMost).map((query) => Object.values(query)[0] ?? ''))
  const work = missing.slice(0, askedAtMost).values()
  const asker = async () => {
    for (const query of work) {
      const answer = await fromService(environment, query)
      if (answer === 'unasked') unasked.add(Object.values(query)[0] ?? '')
      else found.push(...answer)
    }
  }
  await Promise.all(Array.from({ length: askersAtOnce }, asker))
  return { ...indexOf(found), unasked }
}

function indexOf(found: readonly FoundAccount[]): Pick<FoundAccounts, 'byId' | 'byXid'> {
  return {
    byId: new Map(found.map((one) => [one.account.id, one])),
    byXid: new Map(found.flatMap((one) => (one.account.xid ? [[one.account.xid, one] as const] : []))),
  }
}

async function fromDirectory(environment: Environment, ids: string[], xids: string[]): Promise<FoundAccount[]> {
  const rows = await database()
    .select()
    .from(directoryAccounts)
    .where(
      and(
        eq(directoryAccounts.environment, environment),
        or(
          ids.length > 0 ? inArray(directoryAccounts.id, ids) : undefined,
          xids.length > 0 ? inArray(directoryAccounts.xid, xids) : undefined,
        ),
      ),
    )
  return rows.map((row) => ({ account: accountOf(row), readAt: row.readAt }))
}

async function fromService(
  environment: Environment,
  query: { cardAccountId: string } | { xid: string },
): Promise<FoundAccount[] | 'unasked'> {
  try {
    const { answer, askedAt } = await askService(environment, 'listCardAccounts', { query })
    await mirrorAccounts(database(), environment, answer.cardaccounts, askedAt)
    return answer.cardaccounts.map((account) => ({ account, readAt: askedAt }))
  } catch (error) {
    if (!isRefusal(error)) throw error
    return error.code === 'SERVICE_UNREACHABLE' ? 'unasked' : []
  }
}
