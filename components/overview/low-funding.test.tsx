import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { LowFunding } from './low-funding.tsx'

const render = (accounts: Parameters<typeof LowFunding>[0]['accounts']) =>
  renderToString(
    <EnvironmentProvider value="sandbox">
      <LowFunding accounts={accounts} />
    </EnvironmentProvider>,
  )

test('low funding says what each account has, and leads to them', () => {
  const html = render([
    { id: 'a', name: 'HKD operating account', available: '1204880', currency: 'HKD' },
    { id: 'b', name: null, available: '0.5', currency: null },
  ])
  expect(html).toContain('href="/sandbox/funding-accounts"')
  expect(html.replaceAll(/<[^>]*>/g, '')).toContain(
    '2 funding accounts are below their thresholds.HKD operating account has 1,204,880.00 HKD available, b has 0.5 available. Payouts beyond that are refused.',
  )
  expect(render([])).toBe('')
})
