import 'server-only'
import type { CardAccount, FeeEntry } from '#lib/contract/records.ts'
import { readFreshness } from '#lib/environments/health.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { idKey } from '#lib/shared/ids.ts'
import { exactText } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { toFeeAccount } from './fee-accounts.ts'
import { feeCardAccountId, balanceChange } from './fee-record.ts'
import { readOneFee } from './index-fees.ts'
import type { FeeBalance, FeeWithAccount } from './types.ts'

/** Reads a fee, unless it was just read, without a check of the permission. The index stores the account. */
export async function readFeeWithAccount(
  environment: Environment,
  feeId: string,
  read?: ReadFee,
): Promise<FeeWithAccount> {
  const { fee, fetchedAt } = read ?? (await readOneFee(environment, feeId))
  const found = await findAccountOfFee(environment, fee)
  const names = new Map(found ? [[idKey(found.account.id), found.account] as const] : [])
  return {
    fee,
    account: toFeeAccount(fee, names),
    change: exactText(balanceChange(fee)),
    balance: found && toFeeBalance(found.account, found.fetchedAt),
    freshness: await readFreshness(environment, fetchedAt),
  }
}

type ReadFee = Awaited<ReturnType<typeof readOneFee>>

async function findAccountOfFee(environment: Environment, fee: FeeEntry) {
  const id = feeCardAccountId(fee)
  return id ? nullOn(readOneAccount(environment, id), 'CARD_ACCOUNT_NOT_FOUND') : null
}

/** Null where the service gives no balance. */
export function toFeeBalance({ currency, balance }: CardAccount, fetchedAt: Date): FeeBalance | null {
  const text = exactText(balance)
  return text === null ? null : { currency, balance: text, asOf: fetchedAt.toISOString() }
}
