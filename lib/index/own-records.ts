import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { database } from '#lib/db/connection.ts'
import { recordsOfAccount } from '#lib/environments/paginate.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import { accountIndex } from './accounts-sync.ts'

/**
 * The records of an account without those that name another, which a service sends that ignores the filter `cardAccountId`. Where all
 * of them name one id that is no account of the whole index, the service writes the account's id in another way there, and none is
 * left out.
 */
export async function findOwnRecords<Item extends { cardAccountId: string | null }>(
  environment: Environment,
  name: EndpointName,
  records: readonly Item[],
  cardAccountId: string,
): Promise<Item[]> {
  const own = recordsOfAccount(environment, name, records, cardAccountId)
  const [named, ...others] = new Set(records.map((one) => one.cardAccountId?.toLowerCase()))
  if (own.length > 0 || named === undefined || others.length > 0) return own
  const { isComplete } = await accountIndex.coverage(environment)
  if (!isComplete) return own
  const isNamed = and(eq(account.environment, environment), eq(sql`lower(${account.id})`, named))
  return (await database().$count(account, isNamed)) > 0 ? own : [...records]
}
