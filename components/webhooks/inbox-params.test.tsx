import { expect, test } from 'vitest'
import { hktZone, zoneOfCookie } from '#components/ui/time-format.ts'
import { inboxList } from './inbox-params.ts'

test('today begins where the days of the filters begin: at midnight of the page’s zone', () => {
  const nowMs = Date.parse('2026-11-22T17:30:00Z')
  expect(inboxList.toSearch(inboxList.load('?dateRangeFrom=2026-11-23'), hktZone, nowMs)).toMatchObject({
    dateRangeFrom: '2026-11-22T16:00:00.000Z',
    today: '2026-11-22T16:00:00.000Z',
  })
  expect(inboxList.toSearch({}, zoneOfCookie('utc'), nowMs).today).toBe('2026-11-22T00:00:00.000Z')
})
