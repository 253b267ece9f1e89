import { parseAsInteger } from 'nuqs/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bulkItemList, bulkJobList } from '#components/bulk/bulk-labels.ts'
import { cardAccountList } from '#components/card-accounts/filter-params.ts'
import { deviationList } from '#components/connection/connection-text.ts'
import { ledgerList } from '#components/funding-accounts/ledger-labels.ts'
import { identityList } from '#components/identity/identity-params.ts'
import { limitLineList } from '#components/limits/limits-params.ts'
import { transactionList } from '#components/transactions/transaction-params.ts'
import { hktZone } from '#components/ui/time-format.ts'
import { inboxList } from '#components/webhooks/inbox-params.ts'
import { approvalSearch } from '#lib/api/approvals.ts'
import { auditSearch } from '#lib/api/audit.ts'
import { bulkJobSearch } from '#lib/api/bulk.ts'
import { programCardSearch } from '#lib/api/cards.ts'
import { deviationSearch } from '#lib/api/connection.ts'
import { feeSearch } from '#lib/api/fees.ts'
import { unsettledSearch } from '#lib/api/operations.ts'
import { ledgerSearch, payoutSearch } from '#lib/api/payouts.ts'
import { requestSearch } from '#lib/api/requests.ts'
import type { Filters, SearchDefinition } from '#lib/api/search.ts'
import { programTransactionSearch, transactionSearch } from '#lib/api/transactions.ts'
import { filterSchemas } from '#lib/index/search-schema.ts'
import { parseAsServiceId } from './filter-values.ts'
import { defineListParams } from './list-params.ts'

const auditList = defineListParams(auditSearch, { open: parseAsInteger })
const feeList = defineListParams(feeSearch, { open: parseAsServiceId })
const payoutList = defineListParams(payoutSearch)

const lists = {
  auditList,
  bulkItemList,
  bulkJobList,
  cardAccountList,
  deviationList,
  feeList,
  identityList,
  inboxList,
  ledgerList,
  limitLineList,
  payoutList,
  transactionList,
}

/** A value of every filter that each list can read. */
const values = [
  '2026-11-20',
  'Acc-1',
  'region=Kowloon',
  '7',
  '5d1c7a52-0000-4000-8000-000000000003',
  'done',
  'waiving',
  'over',
  'yes',
  'unknown',
  'waiting',
  'running',
  'fee.waive',
]

test.each(Object.entries(lists))('%s: each filter narrows, the page and the view do not', (_, list) => {
  const { load, activeFilters, parsers, cleared } = list as typeof feeList
  expect(activeFilters(load(''))).toBe(0)
  expect(activeFilters(load('?pageToken=x&from=51&open=1&sort=-created&groupKey=region&job=x'))).toBe(0)
  const filters = Object.keys(cleared).filter((name) => name !== 'pageToken' && name !== 'from')
  expect(filters.length).toBeGreaterThan(0)
  for (const name of filters) {
    const parser = parsers[name as keyof typeof parsers] as { parse: (text: string) => unknown }
    const value = [...values, 'refused', 'good', 'difference', 'true'].find((text) => parser.parse(text) !== null)
    expect(value, name).toBeDefined()
    expect(activeFilters(load(`?${name}=${value}`)), name).toBe(1)
  }
})

/** The searches of the lists whose filters are all in the URL. */
const searches = {
  auditSearch,
  approvalSearch,
  bulkJobSearch,
  deviationSearch,
  feeSearch,
  ledgerSearch,
  payoutSearch,
  programCardSearch,
  programTransactionSearch,
  requestSearch,
  transactionSearch,
  unsettledSearch,
}

test.each(Object.entries(searches))('%s: what its page takes of a URL, its read accepts', (_, search) => {
  const { load, toSearch } = defineListParams(search as SearchDefinition)
  const schema = z.object(filterSchemas(search.filters as Filters)).partial()
  const texts = [
    ...values.filter(({ length }) => length <= 16),
    'me',
    '120.50',
    '4242',
    '2027-03',
    '3650',
    '3651',
    ' 7 ',
  ]
  const refused = Object.keys(search.filters).flatMap((name) =>
    texts
      .filter((text) => {
        const given = toSearch(load(`?${new URLSearchParams({ [name]: text })}`), hktZone)
        return !schema.safeParse(given).success
      })
      .map((text) => [name, text]),
  )
  expect(refused).toEqual([])
})

test('a URL without filters reads everything', () => {
  expect(feeList.toSearch(feeList.load(''), hktZone)).toEqual({})
  expect(feeList.toSearch(feeList.load('?xid=%20&intent=&accountId='), hktZone)).toEqual({})
})

test('days are whole days of the page’s zone, and a range the wrong way round is put right', () => {
  const search = feeList.toSearch(feeList.load('?dateRangeFrom=2026-11-03&dateRangeTo=2026-11-01&open=x'), hktZone)
  expect(search).toEqual({ dateRangeFrom: '2026-10-31T16:00:00.000Z', dateRangeTo: '2026-11-03T15:59:59.999Z' })
  const begin = feeList.toSearch(feeList.load('?dateRangeFrom=2026-11-03'), hktZone)
  expect(begin).toEqual({ dateRangeFrom: '2026-11-02T16:00:00.000Z' })
})

test('several values in another order are the same read, and texts lose their edges', () => {
  const read = (url: string) => JSON.stringify(transactionList.toSearch(transactionList.load(url), hktZone))
  expect(read('?intent=refund,charge&find=%20EMP-1%20')).toBe(read('?find=EMP-1&intent=charge,refund'))
})

test('the URL of an opened row keeps the filters and the page', () => {
  const read = (url: string) => Object.fromEntries(new URLSearchParams(url))
  const params = feeList.load('?accountId=a,b&pageToken=p%20q&from=21')
  expect(read(feeList.href({ ...params, open: 'id-1' }))).toEqual({
    accountId: 'a,b',
    pageToken: 'p q',
    from: '21',
    open: 'id-1',
  })
  expect(feeList.href({ ...feeList.load(''), open: 'id-1' })).toBe('?open=id-1')
})

test('a range of days counts as one filter', () => {
  expect(feeList.activeFilters(feeList.load('?dateRangeFrom=2026-11-01&dateRangeTo=2026-11-03&xid=x'))).toBe(2)
})

test('a sort is read where the list has it, and by amount within one currency only', () => {
  const search = (url: string) => payoutList.toSearch(payoutList.load(url), hktZone)
  expect(search('?sort=-created')).toEqual({ sort: 'created', direction: 'desc' })
  expect(search('?sort=sourceAmount')).toEqual({})
  expect(search('?sort=sourceAmount&destinationCurrency=PHP')).toEqual({ destinationCurrency: 'PHP' })
  expect(search('?sort=sourceAmount&sourceCurrency=HKD')).toMatchObject({ sort: 'sourceAmount', direction: 'asc' })
  expect(search('?sort=constructor')).toEqual({})
})
