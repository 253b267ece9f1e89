import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { FeeEntry } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { toCardAccount } from '#lib/index/account-record.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { hasId } from '#lib/index/conditions.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { inParallel } from '#lib/index/in-parallel.ts'
import { sumRecords } from '#lib/index/status-totals.ts'
import type { RecordSum } from '#lib/index/types.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { isSameCurrency } from '#lib/shared/currency.ts'
import { idKey, uniqueIds } from '#lib/shared/ids.ts'
import { exactText, sum } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { feesAtOnce } from './chosen-fees.ts'
import { toFeeAccount, type AccountNames } from './fee-accounts.ts'
import { feeCardAccountId, balanceChange } from './fee-record.ts'
import { toFeeBalance } from './fee-with-account.ts'
import type { AccountEffect, FeeAccount, FeeBalance } from './types.ts'

/** Up to this many accounts are read from the service; the balances of more come from the index, with its time. */
const readAtMost = 100

/** The effect per account, the largest number of fees first. */
export async function readWaiverEffects(
  environment: Environment,
  fees: readonly FeeEntry[],
): Promise<{ effects: AccountEffect[]; names: AccountNames }> {
  const ids = uniqueIds(fees.flatMap((fee) => feeCardAccountId(fee) ?? []))
  const known =
    ids.length > readAtMost ? await readFromIndex(environment, ids) : await readFromService(environment, ids)
  const groups = Map.groupBy(fees, groupKey)
  const effects = [...groups.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const id = feeCardAccountId(first)
    return [accountEffect(first.currency, own, toFeeAccount(first, known), known.get(idKey(id ?? ''))?.balance)]
  })
  return { effects: effects.toSorted((one, other) => other.records - one.records), names: known }
}

function groupKey(fee: FeeEntry): string {
  const id = feeCardAccountId(fee)
  return JSON.stringify([id === null ? toFeeAccount(fee, new Map()) : idKey(id), fee.currency])
}

function accountEffect(
  currency: string | null,
  fees: readonly FeeEntry[],
  account: FeeAccount | null,
  known: FeeBalance | null | undefined,
): AccountEffect {
  const back = refundSum(currency, fees)
  const own = known && isSameCurrency(known.currency, currency) ? known : { balance: null, asOf: null }
  return {
    account,
    currency,
    ...back,
    before: own.balance,
    after: back.excluded > 0 ? null : exactText(sum([own.balance, back.amount])),
    asOf: own.asOf,
  }
}

/** The amount that waiving fees of one currency returns, as signed decimal text. */
export function refundSum(currency: string | null, fees: readonly FeeEntry[]): RecordSum {
  const refunds = fees.flatMap((fee) => balanceChange(fee)?.negated().plus(0) ?? [])
  return sumRecords(currency, fees.length, refunds, fees.length - refunds.length)
}

type AccountEffects = Map<string, { name: string | null; xid: string | null; balance: FeeBalance | null }>

async function readFromService(environment: Environment, ids: readonly string[]): Promise<AccountEffects> {
  const known: AccountEffects = new Map()
  await inParallel(ids, feesAtOnce, async (id) => {
    const read = await nullOn(readOneAccount(environment, id), 'CARD_ACCOUNT_NOT_FOUND')
    if (!read) return
    const { account, fetchedAt } = read
    known.set(idKey(id), { name: account.name, xid: account.xid, balance: toFeeBalance(account, fetchedAt) })
  })
  return known
}

async function readFromIndex(environment: Environment, ids: readonly string[]): Promise<AccountEffects> {
  await freshenForReader(environment)
  const rows = await database()
    .select()
    .from(indexedAccounts)
    .where(and(eq(indexedAccounts.environment, environment), hasId(indexedAccounts.id, ids)))
  return new Map(
    rows.map((row) => {
      const { name, xid } = row
      return [idKey(row.id), { name, xid, balance: toFeeBalance(toCardAccount(row), row.readAt) }] as const
    }),
  )
}

/** The balance of an account at its last reading, as decimal text; null where the index has none. */
export async function findStoredBalance(environment: Environment, cardAccountId: string): Promise<string | null> {
  const [row] = await database()
    .select({ balance: indexedAccounts.balance })
    .from(indexedAccounts)
    .where(and(eq(indexedAccounts.environment, environment), hasId(indexedAccounts.id, [cardAccountId])))
    .limit(1)
  return exactText(row?.balance)
}
