import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cardAccountSearch } from '#lib/api/card-accounts.ts'
import { programCardSearch } from '#lib/api/cards.ts'
import { feeSearch } from '#lib/api/fees.ts'
import { ledgerSearch, payoutSearch } from '#lib/api/payouts.ts'
import type { SearchDefinition } from '#lib/api/search.ts'
import { programTransactionSearch } from '#lib/api/transactions.ts'
import { accountColumns } from './card-accounts/account-columns.tsx'
import { programCardColumns } from './cards/program/program-cards-screen.tsx'
import { feeColumns } from './fees/fee-columns.tsx'
import { ledgerColumns } from './funding-accounts/ledger-columns.tsx'
import { payoutColumns } from './payouts/list/payout-list-screen.tsx'
import { programColumns } from './transactions/program/program-transactions-screen.tsx'

type SortedList = { search: SearchDefinition; columns: readonly { id: string }[]; withoutColumn?: string[] }

const day = '2026-03-01T00:00:00.000Z'

const sortedLists: Record<string, SortedList> = {
  'card accounts': {
    search: cardAccountSearch,
    columns: accountColumns(null, { currency: null, disputesAt: day }, []),
  },
  'program cards': {
    search: programCardSearch,
    columns: programCardColumns,
    withoutColumn: [
      // The order of the list before a person chooses another.
      'issued',
      // The column Card has it with the name, and sorts by the name.
      'last4',
    ],
  },
  'program transactions': { search: programTransactionSearch, columns: programColumns(day) },
  fees: { search: feeSearch, columns: feeColumns(undefined, true) },
  payouts: { search: payoutSearch, columns: payoutColumns },
  ledger: { search: ledgerSearch, columns: ledgerColumns },
}

test.each(Object.entries(sortedLists))(
  'every sort of %s is the id of a column',
  (_list, { search, columns, withoutColumn = [] }) => {
    const ids = columns.map(({ id }) => id)
    expect(Object.keys(search.sorts).filter((sort) => !ids.includes(sort))).toEqual(withoutColumn)
  },
)

test('no sorted list is missing here', async () => {
  const folder = new URL('../lib/api/', import.meta.url)
  const modules = await Promise.all(
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .map((file) => import(/* @vite-ignore */ `${folder.pathname}${file}`) as Promise<Record<string, unknown>>),
  )
  const searches = modules.flatMap((exports) => Object.values(exports)).filter(isSearch)
  const sorted = searches.filter(({ sorts }) => Object.keys(sorts).length > 0)
  expect(new Set(sorted)).toEqual(new Set(Object.values(sortedLists).map(({ search }) => search)))
})

function isSearch(value: unknown): value is SearchDefinition {
  return typeof value === 'object' && value !== null && 'filters' in value && 'sorts' in value
}
