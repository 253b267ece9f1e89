import { expect, test } from 'vitest'
import { hktZone, zoneOfCookie } from '#components/ui/time-format.ts'
import { type InboxParams, inboxFilters, noInboxFilters } from './inbox-params.ts'

const none: InboxParams = { ...noInboxFilters, open: null }

test('today begins where the days of the filters begin: at midnight of the page’s zone', () => {
  const nowMs = Date.parse('2026-11-22T17:30:00Z')
  const day = { ...none, since: '2026-11-23' }
  expect(inboxFilters(day, hktZone, nowMs)).toMatchObject({
    from: '2026-11-22T16:00:00.000Z',
    today: '2026-11-22T16:00:00.000Z',
  })
  expect(inboxFilters(none, zoneOfCookie('utc'), nowMs).today).toBe('2026-11-22T00:00:00.000Z')
})
