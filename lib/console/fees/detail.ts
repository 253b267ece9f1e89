import 'server-only'
import type { CardAccount, FeeEntry } from '#lib/contract/records.ts'
import { freshnessOf } from '#lib/environments/health.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { orNull } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { accountOf } from './accounts.ts'
import { readOneFee } from './index-fees.ts'
import { amountOf, cardAccountOf, changeOf } from './record.ts'
import type { FeeBalance, FeeDetail } from './types.ts'

/** Reads a fee, unless it was just read, without a check of the permission. The index stores the account. */
export async function detailOf(environment: Environment, feeId: string, read?: ReadFee): Promise<FeeDetail> {
  const { fee, fetchedAt } = read ?? (await readOneFee(environment, feeId))
  const found = await accountOfFee(environment, fee)
  const names = new Map(found ? [[found.account.id.toLowerCase(), found.account] as const] : [])
  return {
    fee,
    account: accountOf(fee, names),
    change: changeOf(fee)?.toFixed() ?? null,
    balance: found && balanceOf(found.account, found.fetchedAt),
    freshness: await freshnessOf(environment, fetchedAt),
  }
}

type ReadFee = Awaited<ReturnType<typeof readOneFee>>

async function accountOfFee(environment: Environment, fee: FeeEntry) {
  const id = cardAccountOf(fee)
  return id === null ? null : orNull(readOneAccount(environment, id), 'CARD_ACCOUNT_NOT_FOUND')
}

export function balanceOf(account: CardAccount, fetchedAt: Date): FeeBalance {
  return {
    currency: account.currency,
    balance: amountOf(account.balance)?.toFixed() ?? null,
    available: amountOf(account.available)?.toFixed() ?? null,
    asOf: fetchedAt.toISOString(),
  }
}
