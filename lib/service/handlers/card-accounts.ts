import { eq, sql } from 'drizzle-orm'
import { reportingCurrency } from '#lib/contract/card-accounts.ts'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { amount, roundToMinorUnit, totalToWire } from '#lib/shared/money.ts'
import { selectCardAccounts, toCardAccount, type CardAccountRow } from '../card-account-record.ts'
import type { Handlers } from '../handler.ts'
import { defineList } from '../lists.ts'
import { rateAt } from '../rates.ts'
import { cardAccounts } from '../tables/card-accounts.ts'

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
        ? sql<string>`''`
        : sql<string>`case when jsonb_typeof(${xmetadata}) = 'object' then coalesce(${xmetadata} ->> ${groupKey}::text, (${xmetadata} -> ${groupKey}::text)::text, '') else '' end`
    const sums = await db
      .select({ group: group.as('group'), currency, balance: sql<string>`sum(${balance})` })
      .from(cardAccounts)
      .groupBy(sql`1`, currency)
      .orderBy(sql`1`, currency)
    return {
      cardaccounts: sums.map((each) => {
        const value = amount(each.balance).times(rateAt(now, each.currency, reportingCurrency))
        return {
          group: each.group,
          currency: each.currency,
          balance: totalToWire(each.balance),
          value: totalToWire(roundToMinorUnit(value, reportingCurrency)),
        }
      }),
    }
  },
} satisfies Handlers<'listCardAccounts' | 'aggregateBalance'>
