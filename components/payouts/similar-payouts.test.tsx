import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import type { SimilarPayout } from '#lib/console/payouts/types.ts'
import { SimilarPayouts } from './similar-payouts.tsx'

const similar = (state: SimilarPayout['state']): SimilarPayout => ({
  payoutId: state === 'made' ? 'payout-1' : null,
  operationId: `${state}-1`,
  state,
  at: null,
  by: 'Olivia Poon',
  sourceAmount: '12000',
  sourceCurrency: 'HKD',
  destinationAmount: '12000',
  destinationCurrency: 'HKD',
})

const htmlOf = (...states: SimilarPayout['state'][]) =>
  renderToString(
    <EnvironmentProvider value="sandbox">
      <SimilarPayouts similar={states.map(similar)} />
    </EnvironmentProvider>,
  )

const textOf = (...states: SimilarPayout['state'][]) => htmlOf(...states).replaceAll(/<[^>]*>/g, '')

test('a payout that waits for approval is not called made or paid', () => {
  expect(textOf('waiting')).toMatch(/^A payout of this amount to this beneficiary waits for approval\./)
  expect(textOf('waiting')).not.toMatch(/paid|made/)
})

test('one that is approved and not sent is not called sent or made, and leads to its approval', () => {
  expect(textOf('waiting', 'approved')).toMatch(
    /^A payout of this amount to this beneficiary is approved, and not sent yet\./,
  )
  expect(textOf('approved')).not.toMatch(/outcome|made|twice/)
  expect(htmlOf('approved')).toContain('/sandbox/approvals/approved-1')
})

test('the title names the worst of the earlier payouts', () => {
  expect(textOf('waiting', 'made')).toMatch(/^A payout of this amount to this beneficiary was made within 24 hours\./)
  expect(textOf('waiting', 'made', 'unsettled')).toMatch(/^This may pay twice\./)
})
