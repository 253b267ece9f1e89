import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { detailText, isListed, LowFunding } from './attention-list.tsx'

test('an amount among the details is written as everywhere', () => {
  expect(detailText('1191629.5 HKD available')).toBe('1,191,629.50 HKD available')
  expect(detailText('-130 HKD')).toBe('−130.00 HKD')
  expect(detailText('EMP-10018')).toBe('EMP-10018')
  expect(detailText('Invalid ID (name check hit)')).toBe('Invalid ID (name check hit)')
})

test('low funding is no item of the list: a notice of its own says what each account has, and leads to them', () => {
  const item = {
    id: 'funding-low' as const,
    count: 2,
    examples: [
      { id: 'a', label: 'HKD operating account', detail: '1204880 HKD available' },
      { id: 'b', label: 'USD settlement account', detail: '0.5 USD available' },
    ],
  }
  expect([isListed(item), isListed({ ...item, id: 'disputed' })]).toEqual([false, true])
  const html = renderToString(
    <EnvironmentProvider value="sandbox">
      <LowFunding item={item} />
    </EnvironmentProvider>,
  )
  expect(html).toContain('href="/sandbox/funding-accounts"')
  expect(html.replaceAll(/<[^>]*>/g, '')).toContain(
    '2 funding accounts are below their thresholds.HKD operating account has 1,204,880.00 HKD available, USD settlement account has 0.50 USD available. Payouts beyond that are refused.',
  )
})
