import { eq, sql } from 'drizzle-orm'
import { reportingCurrency } from '#lib/contract/card-accounts.ts'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { roundToMinorUnit, sum, totalToWire } from '#lib/shared/money.ts'
import { selectCardAccounts, toCardAccount, type CardAccountRow } from '../card-account-record.ts'
import type { Handlers } from '../handler.ts'
import { defineList } from '../lists.ts'
import { rateAt } from '../rates.ts'
import { cardAccounts } from '../tables/card-accounts.ts'

/** A value of xmetadata as the name of a group: a text as it is, anything else as its JSON text, "" where there is none. */
function textOfGroup(json: string | null): string {
  if (json === null) return ''
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

const cardAccountList = defineList<ParsedRequest<'listCardAccounts'>['query'], CardAccountRow>({
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
    const { rows, ...tokens } = await cardAccountList(context, query)
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
} satisfies Handlers<'listCardAccounts' | 'aggregateBalance'>
