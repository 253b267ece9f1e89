import 'server-only'
import type { CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { sumsOf, type BalanceSums } from './balance-explanation-sums.ts'
import { accountNotFound, readOneAccount } from './directory/account.ts'
import { askService, requireService } from './environments.ts'
import { healthOf } from './health-record.ts'
import type { Seen } from './service-health.ts'
import { requirePermission } from './session.ts'

export type { BalanceLine, Check, NamedEntry } from './balance-explanation-sums.ts'

/** Why an account's figures are what they are: its own entries, added up, beside what the service states. */
export type BalanceExplanation = BalanceSums & {
  account: Pick<
    CardAccount,
    'id' | 'accountType' | 'currency' | 'limit' | 'balance' | 'available' | 'outstanding' | 'disputeAmount'
  >
  /** How many entries were read; when the earliest of them was recorded. */
  entries: number
  earliestAt: string | null
  /** False: the account has more entries than are read for this, and these are the newest. */
  isWhole: boolean
  /** False: the account changed while it was read, each time. */
  isSteady: boolean
  seen: Seen
}

/** More than anybody scrolls through, and read in a second or two. */
export const mostEntries = 2_000
const pageSize = 100
const readings = 3

/** Throws `CARD_ACCOUNT_NOT_FOUND`. */
export async function explainBalance(environment: Environment, cardAccountId: string): Promise<BalanceExplanation> {
  await requirePermission('accounts.read', environment)
  requireService(environment)
  if (!isUuid(cardAccountId)) throw accountNotFound()
  const id = cardAccountId.toLowerCase()
  let { account: before } = await readOneAccount(environment, id)
  for (let reading = 1; ; reading++) {
    const { transactions, isWhole } = await readEntries(environment, id)
    const { account, askedAt } = await readOneAccount(environment, id)
    const isSteady = hasSameFigures(before, account)
    before = account
    if (!isSteady && reading < readings) continue
    const { accountType, currency, limit, balance, available, outstanding, disputeAmount } = account
    return {
      ...sumsOf(account, transactions),
      account: { id, accountType, currency, limit, balance, available, outstanding, disputeAmount },
      entries: transactions.length,
      earliestAt: transactions.at(-1)?.createdAt ?? null,
      isWhole,
      isSteady,
      seen: { asOf: askedAt.toISOString(), source: 'service', health: await healthOf(environment) },
    }
  }
}

/** The newest entries, as many as are read. One that moved to another page while they were turned counts once. */
async function readEntries(
  environment: Environment,
  cardAccountId: string,
): Promise<{ transactions: CardAccountTransaction[]; isWhole: boolean }> {
  const found = new Map<string, CardAccountTransaction>()
  let pageToken: string | null = null
  do {
    const query: Record<'cardAccountId' | 'pageSize', string> = { cardAccountId, pageSize: String(pageSize) }
    const { answer }: { answer: { transactions: CardAccountTransaction[]; nextPageToken: string | null } } =
      await askService(environment, 'listCardAccountTransactions', {
        query: pageToken === null ? query : { ...query, pageToken },
      })
    for (const one of answer.transactions) found.set(one.id, one)
    pageToken = answer.transactions.length > 0 ? answer.nextPageToken : null
  } while (pageToken !== null && found.size < mostEntries)
  const transactions = [...found.values()]
  return {
    transactions: transactions.slice(0, mostEntries),
    isWhole: pageToken === null && transactions.length <= mostEntries,
  }
}

const figures = ['balance', 'available', 'outstanding', 'limit', 'disputeAmount'] as const

function hasSameFigures(one: CardAccount, other: CardAccount): boolean {
  return figures.every((figure) => one[figure] === other[figure])
}
