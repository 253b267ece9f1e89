import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import type { PayoutTimelineEntry, PayoutRecord } from '#lib/console/payouts/types.ts'
import { PayoutBeneficiary } from './payout-screen.tsx'
import { areClocksApart, PayoutTimelinePanel } from './payout-timeline.tsx'

const submitted = {
  kind: 'operation',
  operationId: 'o',
  act: 'payout.submit',
  at: '2026-11-22T01:13:45.000Z',
  by: { name: 'Olivia Poon' },
  reason: 'family-support',
  comment: null,
  outcome: { state: 'done' },
} as PayoutTimelineEntry

function state(at: string, seenAt: string): PayoutTimelineEntry {
  const reported = { status: 'requested', subStatus: null, cancellationReason: null, isNow: true, events: [] }
  return { kind: 'state', at, seenAt, ...reported }
}

function textOf(element: ReactElement): string {
  return renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <EnvironmentProvider value="sandbox">{element}</EnvironmentProvider>
    </QueryClientProvider>,
  )
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

function timelineOf(entries: PayoutTimelineEntry[]): string {
  return textOf(<PayoutTimelinePanel payout={{ id: 'p' } as PayoutRecord} entries={entries} />)
}

test('clocks differ where an event was received before it happened, or happened before it was requested', () => {
  const together = state('2026-11-22T01:13:46.000Z', '2026-11-22T01:13:46.500Z')
  const moved = state('2026-11-24T13:36:59.000Z', '2026-11-22T01:13:46.500Z')
  const behind = state('2026-11-22T01:10:00.000Z', '2026-11-22T01:13:46.500Z')
  expect(areClocksApart([submitted, together])).toBe(false)
  expect(areClocksApart([submitted, moved])).toBe(true)
  expect(areClocksApart([submitted, behind])).toBe(true)
  // Read long after it happened, because the console was not polling.
  expect(areClocksApart([behind])).toBe(false)
  const event = { kind: 'event', at: '2026-11-24T13:36:59.000Z' } as const
  const delivery = { id: 'e', event: 'payout.moon', receivedAt: '2026-11-22T01:13:46.000Z' }
  expect(areClocksApart([{ ...event, event: delivery }])).toBe(true)
})

test('a time by the card service’s clock is labelled where that clock differs; a purpose has a label', () => {
  const text = timelineOf([submitted, state('2026-11-24T13:36:59.000Z', '2026-11-22T01:13:46.500Z')])
  expect(text.match(/by the card service’s clock/g)).toHaveLength(1)
  expect(text.indexOf('Requested')).toBeLessThan(text.indexOf('by the card service’s clock'))
  expect(text).toContain('by Olivia Poon · Family support')
  expect(timelineOf([submitted, state('2026-11-22T01:13:46.000Z', '2026-11-22T01:13:46.500Z')])).not.toContain('clock')
})

test('a payout to a card is a card payout, and its number a card number', () => {
  const destination = { accountHolderName: 'San Zhang', accountNumber: '7719', type: 'CARD_ACCOUNT' }
  const text = textOf(<PayoutBeneficiary payout={{ method: 'NETWORK_CARD', destination } as PayoutRecord} />)
  expect(text).toContain('Method Card payout')
  expect(text).toContain('Card number •••• 7719')
  expect(text).not.toMatch(/card account/i)
})
