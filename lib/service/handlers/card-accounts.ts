import { Decimal } from 'decimal.js'
import { eq, sql } from 'drizzle-orm'
import { FixedLimit, type FixedLimitResult, reportingCurrency } from '#lib/contract/card-accounts.ts'
import { describeIssues } from '#lib/contract/describe-issues.ts'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { occupations, positions } from '#lib/contract/occupations.ts'
import { asFields } from '#lib/shared/json.ts'
import { type Amount, amount, roundToMinorUnit, sum, toWire } from '#lib/shared/money.ts'
import { ApiError } from '../api-error.ts'
import { type CardAccountRow, requireFound, selectCardAccounts, toCardAccount } from '../card-account-record.ts'
import { recordEvent } from '../events.ts'
import { claimXid } from '../external-ids.ts'
import type { Handlers } from '../handler.ts'
import { setLimit } from '../ledger/ledger.ts'
import { lockAccounts, requireLockedAccount } from '../ledger/locks.ts'
import { defineList } from '../lists.ts'
import { rateAt } from '../rates.ts'
import { newRowId } from '../row-ids.ts'
import { cardAccounts } from '../tables/card-accounts.ts'

/** A value of xmetadata as the name of a group: a text as it is, anything else as its JSON text, "" where there is none. */
function textOfGroup(json: string | null): string {
  if (json === null) return ''
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A total for the wire. Beyond 15 digits it is rounded to them: a sum of many accounts may outgrow what one may hold. */
function totalToWire(value: Amount | string): number {
  return toWire(amount(value).toSignificantDigits(15, Decimal.ROUND_HALF_UP))
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

export const cardAccountList = defineList<ParsedRequest<'listCardAccounts'>['query'], CardAccountRow>({
  name: 'cardaccounts',
  select: selectCardAccounts,
  createdAt: cardAccounts.createdAt,
  id: cardAccounts.id,
  position: (row) => row,
  filters: {
    cardAccountId: (value) => eq(cardAccounts.id, value),
    xid: (value) => eq(cardAccounts.xid, value),
  },
})

export const cardAccountHandlers = {
  listCardAccounts: async ({ query }, context) => {
    const { rows, ...tokens } = await cardAccountList.read(context, query)
    return { cardaccounts: rows.map(toCardAccount), ...tokens }
  },

  /** Accounts whose xmetadata has no such key, or is no object, come in the group "". */
  aggregateBalance: async ({ query }, { db, now }) => {
    const { groupKey } = query
    const { xmetadata, currency, balance } = cardAccounts
    const group =
      groupKey === undefined
        ? sql<null>`null`
        : sql<
            string | null
          >`case when jsonb_typeof(${xmetadata}) = 'object' then (${xmetadata} -> ${groupKey}::text)::text end`
    const found = await db
      .select({ group: group.as('group'), currency, balance: sql<string>`sum(${balance})` })
      .from(cardAccounts)
      .groupBy(sql`1`, currency)
    // The text 5 and the number 5 are one group.
    const sums = Map.groupBy(found, (each) => JSON.stringify([textOfGroup(each.group), each.currency]))
    return {
      cardaccounts: [...sums]
        .map(([key, each]) => {
          const [name, code] = JSON.parse(key) as [string, string]
          const balance = sum(each.map((part) => part.balance))
          const value = balance.times(rateAt(now, code, reportingCurrency))
          return {
            group: name,
            currency: code,
            balance: totalToWire(balance),
            value: totalToWire(roundToMinorUnit(value, reportingCurrency)),
          }
        })
        .toSorted((one, other) => compare(one.group, other.group) || compare(one.currency, other.currency)),
    }
  },

  /** A new account has balance 0, and its client identity is pending. */
  createCardAccount: async ({ body }, change) => {
    const { db, now } = change
    const id = newRowId()
    if (body.xid) await claimXid(db, body.xid, { type: 'cardaccount', id })
    const row = {
      id,
      xid: body.xid ?? null,
      xmetadata: body.xmetadata ?? null,
      name: body.name,
      phoneNumber: body.phoneNumber,
      identityType: body.identityType,
      accountType: body.accountType,
      currency: body.currency,
      limit: roundToMinorUnit(amount(body.limit ?? 0), body.currency).toString(),
      balance: '0',
      openingBalance: '0',
      disputeAmount: '0',
      clientIdentityStatus: 'pending' as const,
      rejectedReason: null,
      rejectionAdditionalInfo: null,
      createdAt: now,
    }
    await db.insert(cardAccounts).values({ ...row, individual: body.individual })
    const account = toCardAccount(row)
    await recordEvent(change, 'cardaccount.created', account)
    return account
  },

  listOccupations: async () => ({ occupations: [...occupations] }),

  listPositions: async () => ({ positions: [...positions] }),

  /** A single object gets its HTTP error; of an array, every item gets a result of its own. */
  setFixedLimit: async ({ body }, change) => {
    if (!Array.isArray(body)) {
      const account = await requireLockedAccount(change.db, body.cardAccountId)
      const { limit } = await setLimit(change, account, amount(body.limit))
      return { ...body, limit: toWire(limit), success: true, error: null }
    }
    const items = body.map((item) => FixedLimit.safeParse(item))
    const accounts = await lockAccounts(
      change.db,
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
      const error = await catchMessage(async () => {
        const account = requireFound(accounts.get(item.data.cardAccountId))
        const changed = await setLimit(change, account, amount(limit))
        accounts.set(account.id, changed)
        limit = toWire(changed.limit)
      })
      results.push({ ...item.data, limit, success: error === null, error })
    }
    return results
  },
} satisfies Partial<Handlers>

/** Why the service refuses a limit; null where it does not. Checked before anything is written. */
async function catchMessage(work: () => Promise<void>): Promise<string | null> {
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
  const { cardAccountId, limit } = asFields(item)
  return {
    cardAccountId: typeof cardAccountId === 'string' ? cardAccountId : null,
    limit: typeof limit === 'number' ? limit : null,
  }
}
