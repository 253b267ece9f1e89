import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CardAccount } from '#lib/contract/records.ts'
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
