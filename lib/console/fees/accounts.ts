import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import type { FeeEntry } from '#lib/contract/fees.ts'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { freshenForReader } from '../directory/freshness.ts'
import { directoryAccounts } from '../tables/directory.ts'
import { cardAccountOf, changeOf } from './record.ts'

/** Whom a fee was charged to. `name` is null as long as the directory does not have the account. */
export type FeeAccount =
  | { kind: 'card-account'; id: string; name: string | null }
  | { kind: 'funding-account'; label: string; number: string }

/**
 * A fee as a list shows it. `change` is what it does to the balance as signed decimal text; null where the service gave no
 * amount that can be read.
 */
export type FeeRow = { fee: FeeEntry; account: FeeAccount | null; change: string | null }

/** Fees with the names of their accounts, from the directory. */
export async function withAccounts(environment: Environment, fees: readonly FeeEntry[]): Promise<FeeRow[]> {
  const ids = [...new Set(fees.flatMap((fee) => cardAccountOf(fee) ?? []))]
  const names = await namesOf(environment, ids)
  return fees.map((fee) => ({ fee, account: accountOf(fee, names), change: changeOf(fee)?.toFixed() ?? null }))
}

/** A fresh console has not read its accounts yet: a small program is read before anybody sees bare ids. */
async function namesOf(environment: Environment, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const known = await mirroredNames(environment, ids)
  if (known.size === ids.length) return known
  await freshenForReader(environment)
  return mirroredNames(environment, ids)
}

async function mirroredNames(environment: Environment, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await database()
    .select({ id: directoryAccounts.id, name: directoryAccounts.name })
    .from(directoryAccounts)
    .where(and(eq(directoryAccounts.environment, environment), inArray(directoryAccounts.id, [...ids])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export function accountOf(fee: FeeEntry, names: ReadonlyMap<string, string>): FeeAccount | null {
  const id = cardAccountOf(fee)
  if (id !== null) return { kind: 'card-account', id, name: names.get(id) ?? null }
  const { transaction } = fee
  if (!transaction || !('accountLabel' in transaction)) return null
  return { kind: 'funding-account', label: String(transaction.accountLabel), number: String(transaction.accountNumber) }
}
