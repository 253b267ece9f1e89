import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import type { Account } from '#lib/contract/records.ts'
import { createQueryClient } from '#lib/queries/reads.ts'
import { AccountTiles } from './account-tiles.tsx'
import { LedgerAmount } from './ledger-columns.tsx'
import { ledgerIntentLabel, ledgerStatusEntry, noBalanceText } from './ledger-labels.ts'

test('an unknown intent or status is shown as sent', () => {
  expect(ledgerIntentLabel('clawback')).toBe('clawback')
  expect(ledgerStatusEntry('valueOf').label).toBe('valueOf')
})

test('the direction of an amount is its sign', () => {
  const text = (amount: number) =>
    renderToStaticMarkup(<LedgerAmount entry={{ amount, asset: 'HKD', status: 'posted' }} />).replace(/<[^>]*>/g, ' ')
  expect(text(300000.1)).toMatch(/\+300,000\.10 +HKD *$/)
  expect(text(-25000)).toMatch(/−25,000\.00 +HKD *$/)
})

test('an entry without a balance shows the reason', () => {
  expect(noBalanceText('pending')).toBe('not posted yet')
  expect(noBalanceText('settling')).toBeNull()
  expect(noBalanceText('posted')).toBeNull()
  expect(noBalanceText('void')).toBe('–')
})

test('a funding account shows the fields that the interface does not name', () => {
  const account: Account = { id: 'F-1', name: 'Float', currency: 'HKD', balance: 1, available: 1 }
  const html = (otherFields?: Record<string, unknown>) =>
    renderToStaticMarkup(
      <QueryClientProvider client={createQueryClient()}>
        <EnvironmentProvider value="sandbox">
          <AccountTiles
            accounts={[{ ...account, ...(otherFields && { otherFields }) }]}
            chosen={null}
            onChoose={() => undefined}
          />
        </EnvironmentProvider>
      </QueryClientProvider>,
    )
  expect(html({ custodian: 'Harbour Trust' })).toContain('Harbour Trust')
  expect(html()).not.toContain('Other fields')
})
