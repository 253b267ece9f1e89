import type { rejectionReasons } from '#lib/contract/terms.ts'
import type { ExpectedEntry } from './build-entry.ts'
import { accountVariable } from './entry.ts'
import type { FileStep } from './timeline.ts'

/** The records that a scenario has made in the end; lists are newest first. */
export type ExpectedAccount = {
  account: Record<string, unknown>
  rejectedReason: (typeof rejectionReasons)[number] | null
  cards: readonly object[]
  entries: readonly ExpectedEntry[]
  /** An entry for what was before is the oldest. */
  isForwarded: boolean
}

const everything = '100'

/** The last steps: what the account, its cards, transactions and fees have become. */
export function checkSteps({ account, rejectedReason, cards, entries, isForwarded }: ExpectedAccount): FileStep[] {
  const query = { cardAccountId: accountVariable }
  const listQuery = { ...query, pageSize: everything }
  const transactions = entries.map(({ fee: _fee, responseCode, ...rest }) => ({
    ...rest,
    ...(responseCode === null ? {} : { authorization: { responseCode } }),
  }))
  const fees = entries.flatMap(({ fee, status, amount }) => (fee === null ? [] : [{ intent: fee, status, amount }]))
  return [
    { name: 'The account', call: 'GET /cardaccounts', query, expect: { 'body.cardaccounts[0]': account } },
    ...(rejectedReason === null
      ? []
      : [{ call: 'GET /cardaccounts/client-identity', query, expect: { 'body.rejectedReason': rejectedReason } }]),
    { name: 'Its cards', call: 'GET /cards', query: listQuery, expect: { 'body.cards': cards } },
    {
      name: 'Its transactions',
      call: 'GET /cardaccounts/transactions',
      query: listQuery,
      expect: {
        'body.transactions': [...transactions, ...(isForwarded ? [{ intent: 'other', status: 'posted' }] : [])],
      },
    },
    {
      name: 'Its fees',
      call: 'GET /fees',
      query: { accountId: accountVariable, pageSize: everything },
      expect: { 'body.fees': fees },
    },
  ]
}
