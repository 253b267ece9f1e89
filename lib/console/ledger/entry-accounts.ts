import 'server-only'
import { inputFor } from '#lib/client/prepare.ts'
import type { Account, AccountTransaction } from '#lib/contract/records.ts'
import { callService } from '#lib/environments/environments.ts'
import { inParallel } from '#lib/index/in-parallel.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'

type Named = Pick<AccountTransaction, 'accountNumber' | 'accountLabel' | 'asset'>
/** The id of the funding account that an entry names; null where it may be none of them, or several. */
export type FindAccountId = (entry: Named) => string | null

type Known = { accounts: Account[]; byNumber: ReadonlyMap<string, Account>; readAt: number }
const known = globalSingleton<Map<Environment, Known>>('carddeskLedgerAccounts', () => new Map())

/**
 * An entry has the number and the name of its account, and no id; an account has an id and a name, and no number. So the service is asked
 * for one entry of each account, and again, at most once a minute, where an entry has a number that was not among them. Where that gives no
 * number, or one number for several accounts because the service ignores the filter, the account is found by its name and currency. Where
 * a request fails, what was read before stays.
 */
export async function readEntryAccounts(environment: Environment, entries: readonly Named[]): Promise<FindAccountId> {
  let { accounts, byNumber, readAt } = known().get(environment) ?? { accounts: [], byNumber: new Map(), readAt: 0 }
  const isNew = entries.some(({ accountNumber }) => !byNumber.has(accountNumber ?? ''))
  if (isNew && Date.now() - readAt >= minuteMs) {
    const listed = await nullOn(callService(environment, 'listAccounts', {}))
    if (listed) {
      accounts = listed.response.accounts
      byNumber = await readNumbers(environment, accounts, byNumber)
    }
    known().set(environment, { accounts, byNumber, readAt: Date.now() })
  }
  return ({ accountNumber, accountLabel, asset }) => {
    if (accountNumber !== null && byNumber.size > 0) return byNumber.get(accountNumber)?.id ?? null
    const named = accounts.filter(({ name, currency }) => name === accountLabel && currency === asset)
    return (named.length === 1 && named[0]?.id) || null
  }
}

async function readNumbers(
  environment: Environment,
  accounts: readonly Account[],
  before: ReadonlyMap<string, Account>,
): Promise<ReadonlyMap<string, Account>> {
  const byNumber = new Map<string, Account>()
  let found = 0
  await inParallel(accounts, 4, async (account) => {
    const input = inputFor('listAccountTransactions', { query: { accountId: account.id, pageSize: '1' } })
    const read = await nullOn(callService(environment, 'listAccountTransactions', input))
    const numberBefore = () => [...before].find(([, { id }]) => id === account.id)?.[0]
    const number = read ? read.response.transactions[0]?.accountNumber : numberBefore()
    if (!number) return
    found += 1
    byNumber.set(number, account)
  })
  return byNumber.size === found ? byNumber : new Map()
}
