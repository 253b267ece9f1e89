import 'server-only'
import type { CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { readFreshness } from '#lib/environments/health.ts'
import { fetchPages } from '#lib/environments/paginate.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { idKey } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { sumBalance, type EntryCoverage } from './balance-explanation-sums.ts'
import type { BalanceExplanation } from './types.ts'

/** More than a person scrolls through, and read in a second or two. */
export const mostEntries = 2_000
/** A service may send smaller pages than requested. */
const maximumPages = 100
const readings = 3

/** Throws `CARD_ACCOUNT_NOT_FOUND`. */
export async function explainBalance(environment: Environment, cardAccountId: string): Promise<BalanceExplanation> {
  let { account: before } = await readOneAccount(environment, cardAccountId)
  for (let reading = 1; ; reading++) {
    const { transactions, ...coverage } = await readEntries(environment, before.id)
    const { account, fetchedAt } = await readOneAccount(environment, before.id)
    const isSteady = hasSameFigures(before, account)
    before = account
    if (!isSteady && reading < readings) continue
    const { id, accountType, currency, limit, balance, available, outstanding, disputeAmount } = account
    const sums = sumBalance(account, transactions, coverage)
    return {
      ...sums,
      account: { id, accountType, currency, limit, balance, available, outstanding, disputeAmount },
      entries: transactions.length,
      earliestAt: transactions.flatMap(({ createdAt }) => createdAt ?? []).toSorted()[0] ?? null,
      isWhole: coverage.isWhole,
      isComplete: coverage.isWhole && sums.excluded === 0,
      isSteady,
      freshness: await readFreshness(environment, fetchedAt),
    }
  }
}

/** The newest entries, as many as are read. One that moved to another page while they were turned counts once. */
async function readEntries(
  environment: Environment,
  cardAccountId: string,
): Promise<EntryCoverage & { transactions: CardAccountTransaction[] }> {
  const found = new Map<string, CardAccountTransaction>()
  let [excluded, isWhole] = [0, false]
  for await (const page of fetchPages(
    environment,
    'listCardAccountTransactions',
    { cardAccountId },
    { maximumPages },
  )) {
    for (const one of page.response.transactions) found.set(idKey(one.id), one)
    excluded += page.excluded
    isWhole = page.hasMore === 'no' && found.size <= mostEntries
    if (found.size >= mostEntries) break
  }
  return { transactions: [...found.values()].slice(0, mostEntries), excluded, isWhole }
}

const figures = ['balance', 'available', 'outstanding', 'limit', 'disputeAmount'] as const

function hasSameFigures(one: CardAccount, other: CardAccount): boolean {
  return figures.every((figure) => one[figure] === other[figure])
}
