import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PageZoneProvider } from '#components/ui/page-zone.tsx'
import { zoneOfCookie } from '#components/ui/time-format.ts'
import type { InboxFigures } from '#lib/console/inbox/types.ts'
import { InboxFiguresPanel } from './inbox-figures.tsx'

const figures: InboxFigures = {
  newest: null,
  receivedToday: 7,
  received: 9,
  waiting: 0,
  signatures: { count: 0, lastAt: null },
  malformed: 0,
  duplicates: 0,
  lagMs: null,
}

function textOf(changes: Partial<InboxFigures>, zone = 'hkt'): string {
  const markup = renderToStaticMarkup(
    <PageZoneProvider zone={zoneOfCookie(zone)}>
      <InboxFiguresPanel figures={{ ...figures, ...changes }} />
    </PageZoneProvider>,
  )
  return markup.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('today is named with the zone of the page', () => {
  expect(textOf({})).toContain('Received today, HKT 7')
  expect(textOf({}, 'utc')).toContain('Received today, UTC 7')
})

test.each([
  [1, '1 event'],
  [2, '2 events'],
  [1000, 'last 1,000 events'],
])('the figure of %d events says how many were counted', (events, text) => {
  expect(textOf({ lagMs: { p50: 45, p99: 222, events } })).toContain(`Median 45 ms, ${text}`)
})
