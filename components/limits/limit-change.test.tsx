import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { LimitLine } from '#lib/console/limits/types.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import { isTenfold } from './limit-start.tsx'
import { LimitChange } from './set-limit-dialog.tsx'

const before = { limit: 20_000, available: 500.3, currency: 'HKD' } as CardAccount

function textOf(after: CardAccount): string {
  return renderToString(<LimitChange before={before} after={after} />)
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('a limit change’s result shows the limit and the available amount before and as read back', () => {
  expect(textOf({ ...before, limit: 21_000, available: 1500.3 })).toBe(
    'Limit 20,000.00 is now 21,000.00 HKD Available 500.30 is now 1,500.30 HKD',
  )
})

test('an account that was not read back is not shown with another limit', () => {
  expect(textOf(before)).toMatch(/could not be read back/)
})

test('a limit of more than ten times the one before is marked, as far as both are known', () => {
  const line = (limitNow: string | null, limitNew: string, problem: string | null = null) =>
    isTenfold({ limitNow, limitNew, problem } as LimitLine)
  expect(line('2000', '20000')).toBe(false)
  expect(line('2000', '20000.01')).toBe(true)
  expect(line('0', '20000')).toBe(false)
  expect(line(null, '20000')).toBe(false)
  expect(line('2000', '999999', 'The account is prepaid.')).toBe(false)
})
