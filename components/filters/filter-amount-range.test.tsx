import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { amountProblem } from '#lib/api/search.ts'
import { FilterAmountRange } from './filter-amount-range.tsx'

function rendered(from: string | null, to: string | null): string {
  const end = (value: string | null) => ({ value, problem: amountProblem, onChange: () => undefined })
  return renderToString(<FilterAmountRange from={end(from)} to={end(to)} />)
}

test.each([
  ['12', '5'],
  ['9.01', '9'],
])('from %s to %s matches nothing, and both fields say so', (from, to) => {
  expect(rendered(from, to)).toContain(`Enter at most ${to}, the “To” amount.`)
  expect(rendered(from, to)).toContain(`Enter at least ${from}, the “From” amount.`)
})

test.each([
  ['5', '12'],
  ['9', '9.00'],
  ['100', null],
  [null, '0'],
])('from %s to %s is a range', (from, to) => {
  expect(rendered(from, to)).not.toContain('aria-invalid')
})
