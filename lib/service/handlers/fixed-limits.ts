import { describeIssues } from '#lib/contract/describe-issues.ts'
import { FixedLimit, type FixedLimitResult } from '#lib/contract/fixed-limits.ts'
import { fieldsOf } from '#lib/shared/json.ts'
import { amount, toWire } from '#lib/shared/money.ts'
import { ApiError } from '../api-error.ts'
import type { CardAccountRow } from '../card-account-record.ts'
import type { Handlers } from '../handler.ts'
import { setLimit } from '../ledger/ledger.ts'
import { lockAccounts, requireLockedAccount } from '../ledger/locks.ts'

export const fixedLimitHandlers = {
  /** A single object gets its HTTP error; of an array, every item gets a result of its own. */
  setFixedLimit: async ({ body }, { db, now }) => {
    if (!Array.isArray(body)) {
      const account = await requireLockedAccount(db, body.cardAccountId)
      const { limit } = await setLimit(db, now, account, amount(body.limit))
      return { ...body, limit: toWire(limit), success: true, error: null }
    }
    const items = body.map((item) => FixedLimit.safeParse(item))
    const accounts = await lockAccounts(
      db,
      items.flatMap(({ data }) => (data ? [data.cardAccountId] : [])),
    )
    const results: FixedLimitResult[] = []
    for (const [index, item] of items.entries()) {
      if (!item.success) {
        const error = describeIssues(item.error.issues, body[index], 'body').join('; ')
        results.push({ ...givenParts(body[index]), success: false, error })
        continue
      }
      let { limit } = item.data
      const error = await errorOf(async () => {
        const account = requireAccount(accounts, item.data.cardAccountId)
        const changed = await setLimit(db, now, account, amount(limit))
        accounts.set(account.id, changed)
        limit = toWire(changed.limit)
      })
      results.push({ ...item.data, limit, success: error === null, error })
    }
    return results
  },
} satisfies Handlers<'setFixedLimit'>

function requireAccount(accounts: ReadonlyMap<string, CardAccountRow>, cardAccountId: string): CardAccountRow {
  const account = accounts.get(cardAccountId)
  if (!account) throw new ApiError('CARD_ACCOUNT_NOT_FOUND', 'there is no such card account')
  return account
}

/** Why the service refuses a limit; null where it does not. Checked before anything is written. */
async function errorOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

/** The fields of an invalid item that its result can repeat. */
function givenParts(item: unknown): Pick<FixedLimitResult, 'cardAccountId' | 'limit'> {
  const { cardAccountId, limit } = fieldsOf(item)
  return {
    cardAccountId: typeof cardAccountId === 'string' ? cardAccountId : null,
    limit: typeof limit === 'number' ? limit : null,
  }
}
