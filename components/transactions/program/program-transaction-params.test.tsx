import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FilterText } from '#components/filters/filter-text.tsx'
import { zoneOfCookie } from '#components/ui/time-format.ts'
import { amountProblem } from '#lib/api/search.ts'
import { withoutThousands } from '#lib/contract/amount-entry.ts'
import { programTransactionList } from './program-transaction-params.ts'

const filterWith = (text: string) =>
  renderToString(
    <FilterText
      label="From"
      value={text}
      normalize={withoutThousands}
      problem={amountProblem}
      onChange={() => undefined}
    />,
  )

test.each([
  ['1,000.50', '1000.50'],
  ['12,345,678', '12345678'],
  ['120.5', '120.5'],
  ['0', '0'],
])('the amount %j of a screen is the filter %j', (typed, filter) => {
  expect(withoutThousands(typed)).toBe(filter)
  expect(filterWith(typed)).not.toContain('aria-invalid')
})

test.each(['1,5', '12,34,567', '1,000.', 'abc', '-5'])('%j is no amount, and the filter says so', (typed) => {
  expect(filterWith(typed)).toContain('Enter an amount such as 120 or 1,200.50.')
})

test('a text of the address that is no amount and no card’s digits narrows nothing', () => {
  const params = programTransactionList.load('?amountFrom=abc&amountTo=5&cardLast4=12')
  expect(programTransactionList.activeFilters(params)).toBe(1)
  expect(programTransactionList.toSearch(params, zoneOfCookie('utc'))).toEqual({ amountTo: '5' })
})
