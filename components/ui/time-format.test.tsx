import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { formatRelative, formatTime, hktZone, zoneOfCookie } from './time-format.ts'

const instant = '2026-11-20T23:05:09Z'

describe('formatTime', () => {
  test('writes an instant in the page’s zone, day and all', () => {
    expect(formatTime(instant, hktZone, 'exact')).toBe('21 Nov 2026, 07:05:09')
    expect(formatTime(instant, zoneOfCookie('utc'), 'exact')).toBe('20 Nov 2026, 23:05:09')
    expect(formatTime(instant, zoneOfCookie('local:America/New_York'), 'exact')).toBe('20 Nov 2026, 18:05:09')
  })

  test('writes midnight as 00 and September with three letters', () => {
    expect(formatTime('2026-09-02T16:00:00Z', hktZone, 'date-time')).toBe('3 Sep 2026, 00:00')
  })

  test('leaves out this year, and no other', () => {
    vi.useFakeTimers({ now: new Date('2026-12-31T15:59:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    expect(formatTime(instant, hktZone, 'short')).toBe('21 Nov, 07:05')
    expect(formatTime('2026-12-31T16:00:00Z', hktZone, 'short')).toBe('1 Jan 2027, 00:00')
    expect(formatTime('2025-11-20T23:05:09Z', hktZone, 'short')).toBe('21 Nov 2025, 07:05')
  })

  test('returns null to what is no date', () => {
    expect(formatTime('soon', hktZone, 'short')).toBeNull()
  })
})

describe('zoneOfCookie', () => {
  test('falls back to HKT for anything it does not know, an invented zone included', () => {
    for (const text of [undefined, '', 'gmt', 'local:', 'local:Mars/Olympus', 'local:<script>']) {
      expect(zoneOfCookie(text)).toEqual(hktZone)
    }
  })

  test('labels a local zone with its place', () => {
    expect(zoneOfCookie('local:America/New_York')).toMatchObject({ choice: 'local', label: 'Local (New York)' })
  })
})

describe('formatRelative', () => {
  test.each([
    [0, 'just now'],
    [-1999, 'just now'],
    [-59_999, '59 s ago'],
    [-60_000, '1 min ago'],
    [-86_400_000, '1 d ago'],
    [7_200_000, 'in 2 h'],
    [86_399_000, 'in 24 h'],
    [5_000_000, 'in 1 h'],
  ])('%d ms from now is "%s"', (distanceMs, text) => {
    expect(formatRelative(1_000_000_000 + distanceMs, 1_000_000_000)).toBe(text)
  })
})
