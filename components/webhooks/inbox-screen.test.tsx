import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import type { InboxEvent } from '#lib/console/inbox/types.ts'
import { inboxColumns } from './inbox-screen.tsx'

const event: InboxEvent = {
  id: 'eeee1111-0000-4000-8000-00000000eeee',
  event: 'card.updated',
  isKnown: true,
  cardAccountId: 'aaaa1111-0000-4000-8000-00000000aaaa',
  accountName: 'Chan Tai Man',
  cardId: 'cccc2222-0000-4000-8000-00000000cccc',
  cardLast4: '0708',
  payoutId: null,
  payoutTo: null,
  time: '2026-11-22T01:30:12Z',
  receivedAt: '2026-11-22T01:30:13Z',
  appliedAt: '2026-11-22T01:30:14Z',
  problem: null,
  duplicates: 0,
}

test('in a narrow table the object, time and waiting state are below the event', () => {
  expect(inboxColumns.filter(({ priority = 1 }) => priority === 1).map(({ id }) => id)).toEqual(['event'])
  const below = (of: InboxEvent) =>
    renderToStaticMarkup(
      <EnvironmentProvider value="sandbox">{inboxColumns[0]?.below?.(of)}</EnvironmentProvider>,
    ).replaceAll(/<[^>]+>/g, ' ')
  expect(below(event)).toMatch(/Card ending 0708 · Chan Tai Man.*22 Nov 2026, 09:30:13.*eeee…eeee/)
  expect(below(event)).not.toContain('Waiting')
  expect(below({ ...event, appliedAt: null })).toContain('Waiting')
})

test('the id of the object is copied whole, where there is one', () => {
  const about = inboxColumns.find(({ id }) => id === 'subject')
  expect(about?.copy?.(event)).toEqual({ text: event.cardId, label: 'card ID' })
  expect(about?.copy?.({ ...event, cardId: null, cardAccountId: null })).toBeNull()
})
