import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { FeeEntry } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { hasId } from '#lib/index/conditions.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { idKey, uniqueIds } from '#lib/shared/ids.ts'
import { exactText } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { feeCardAccountId, balanceChange } from './fee-record.ts'
import type { FeeAccount, FeeRow } from './types.ts'

/** Names and external IDs of accounts, by `idKey` of their ids: names are shared. */
export type AccountNames = ReadonlyMap<string, { name: string | null; xid: string | null }>

/** Fees with the names of their accounts, from the index. */
export async function withAccounts(environment: Environment, fees: readonly FeeEntry[]): Promise<FeeRow[]> {
  const ids = uniqueIds(fees.flatMap((fee) => feeCardAccountId(fee) ?? []))
  const names = await readAccountNames(environment, ids)
  return fees.map((fee) => ({ fee, account: toFeeAccount(fee, names), change: exactText(balanceChange(fee)) }))
}

/** A fresh console has not read its accounts yet: a small program is read before bare ids are shown. */
async function readAccountNames(environment: Environment, ids: readonly string[]): Promise<AccountNames> {
  if (ids.length === 0) return new Map()
  const known = await readIndexedNames(environment, ids)
  if (known.size === ids.length) return known
  await freshenForReader(environment)
  return readIndexedNames(environment, ids)
}

async function readIndexedNames(environment: Environment, ids: readonly string[]): Promise<AccountNames> {
  const { id, name, xid } = indexedAccounts
  const rows = await database()
    .select({ id, name, xid })
    .from(indexedAccounts)
    .where(and(eq(indexedAccounts.environment, environment), hasId(id, ids)))
  return new Map(rows.map((row) => [idKey(row.id), row]))
}

export function toFeeAccount(fee: FeeEntry, names: AccountNames): FeeAccount | null {
  const id = feeCardAccountId(fee)
  if (id !== null) {
    const { name, xid } = names.get(idKey(id)) ?? { name: null, xid: null }
    return { kind: 'card-account', id, name, xid }
  }
  const { transaction } = fee
  if (!transaction || !('accountLabel' in transaction)) return null
  return { kind: 'funding-account', label: transaction.accountLabel, number: transaction.accountNumber }
}
