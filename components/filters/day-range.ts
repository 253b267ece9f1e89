import type { PageZone } from '#components/ui/time-format.ts'
import { dayMs, hourMs, minuteMs } from '#lib/shared/time.ts'

/** How far a zone is ahead of UTC at an instant. */
function offsetMs(instantMs: number, zoneName: string): number {
  const text = new Intl.DateTimeFormat('en-US', { timeZone: zoneName, timeZoneName: 'longOffset' })
    .formatToParts(instantMs)
    .find(({ type }) => type === 'timeZoneName')?.value
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(text ?? '')
  if (!match) return 0
  const [, sign, hours, minutes] = match
  return (sign === '-' ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs)
}

/** The instant at which the clocks of a zone show `2026-11-21T15:04`; null where the text is no such time. */
export function parseWallTime(wallText: string, zoneName: string): string | null {
  const utcMs = Date.parse(`${wallText}Z`)
  return Number.isNaN(utcMs) ? null : new Date(instantIn(utcMs, zoneName)).toISOString()
}

function instantIn(utcMs: number, zoneName: string): number {
  const guess = utcMs - offsetMs(utcMs, zoneName)
  const instant = utcMs - offsetMs(guess, zoneName)
  // Clocks that are set forward skip a time, which counts as the one that they show then.
  return offsetMs(instant, zoneName) === offsetMs(guess, zoneName) ? instant : Math.max(instant, guess)
}

/** The first and the last millisecond of a calendar day of a zone, as ISO 8601. */
export function dayRange(day: string, zoneName: string): { from: string; to: string } {
  const toDayStart = (utcMidnightMs: number) => instantIn(utcMidnightMs, zoneName)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return {
    from: new Date(toDayStart(midnight)).toISOString(),
    to: new Date(toDayStart(midnight + dayMs) - 1).toISOString(),
  }
}

/** The day so many days before another, as `YYYY-MM-DD`. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10)
}

/** The instants of whole days of the page's zone, first to last; a reversed range is swapped. */
export function wholeDays(
  { since, until }: { since: string | null; until: string | null },
  zone: PageZone,
): { from: string | undefined; to: string | undefined } {
  const [first, last] = since !== null && until !== null && since > until ? [until, since] : [since, until]
  return {
    from: first ? dayRange(first, zone.name).from : undefined,
    to: last ? dayRange(last, zone.name).to : undefined,
  }
}
