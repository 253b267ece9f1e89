import { QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { FactList } from '#components/ui/fact-list.tsx'
import type { SentPayout } from '#lib/console/payouts/types.ts'
import { createQueryClient } from '#lib/queries/reads.ts'
import { useSentFacts } from './sent-payout.tsx'

function Facts({ method }: { method: string }) {
  const payout = {
    method,
    accountNumber: '0012',
    accountId: 'fa-1',
    accountName: 'Operations',
    destination: { mobileNumber: '+821012345678', email: null },
    source: { mobileNumber: null },
  } as SentPayout
  return <FactList facts={useSentFacts(payout)} />
}

test.each([
  ['NETWORK_CARD', 'Card number'],
  ['BANK_TRANSFER', 'Account number'],
])('what was sent by %s names the beneficiary’s %s, and leads to the account that pays', (method, label) => {
  const html = renderToString(
    <QueryClientProvider client={createQueryClient()}>
      <EnvironmentProvider value="sandbox">
        <Facts method={method} />
      </EnvironmentProvider>
    </QueryClientProvider>,
  )
  expect(html).toContain(`>${label}<`)
  expect(html).toContain('/sandbox/funding-accounts?accountId=fa-1')
  expect(html).toContain('+821012345678')
  expect(html).not.toContain('Sender')
})
