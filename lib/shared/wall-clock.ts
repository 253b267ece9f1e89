import { minuteMs } from './time.ts'

type ClockPart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

const formats = new Map<string, Intl.DateTimeFormat>()

/** An instant in an IANA zone as ISO 8601 with its offset: `2026-11-21T15:04:05+08:00`. The text itself where it is no date. */
export function zonedIsoTime(instant: string | Date, zone: string): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return String(instant)
  const part = clockParts(at, zone)
  const local = `${part.year.padStart(4, '0')}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}`
  const offsetMinutes = Math.round((Date.parse(`${local}Z`) - at.getTime()) / minuteMs)
  const two = (figure: number) => String(figure).padStart(2, '0')
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60]
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`
}

/** The day of an instant in a zone, as `2026-11-21`. */
export function isoDay(instant: string | Date, zone: string): string {
  return zonedIsoTime(instant, zone).slice(0, 10)
}

/** Whether a text is a day that exists, as `2026-11-21`. */
export function isDay(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text)
  )
}

/** Date and time in a zone, each part of two digits but the year. Throws `RangeError` for an unknown zone. */
export function clockParts(at: Date | number, zone: string): Record<ClockPart, string> {
  const parts = zoneFormat(zone)
    .formatToParts(at)
    .map(({ type, value }) => [type, value])
  return Object.fromEntries(parts) as Record<ClockPart, string>
}

function zoneFormat(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone)
  if (cached) return cached
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, format)
  return format
}
