import { dayMs, hourMs, minuteMs, secondMs, timeZones } from '#lib/shared/time.ts'
import { clockParts } from '#lib/shared/wall-clock.ts'

/** The zone of a page: the preference, its IANA name, and the short label in the header. */
export type TimeZoneChoice = keyof typeof timeZones | 'local'

export type PageZone = { choice: TimeZoneChoice; name: string; label: string }

/** `date-time` says minutes, `exact` seconds; `short` leaves out the year where it is this one. */
export type TimeFormat = 'date-time' | 'exact' | 'short' | 'date' | 'time' | 'time-seconds'

export const hktZone: PageZone = { choice: 'hkt', name: timeZones.hkt, label: 'HKT' }
const utcZone: PageZone = { choice: 'utc', name: timeZones.utc, label: 'UTC' }

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function localZone(name: string): PageZone | null {
  try {
    dateParts(0, name)
    return { choice: 'local', name, label: `Local (${name.split('/').at(-1)?.replaceAll('_', ' ') ?? name})` }
  } catch {
    return null
  }
}

/**
 * The zone of a cookie's text: `hkt`, `utc` or `local:<IANA name>`. The browser writes its own zone's name, so that the
 * server renders the same text as the browser. Anything else is HKT.
 */
export function zoneOfCookie(text: string | undefined): PageZone {
  if (text === 'utc') return utcZone
  if (text?.startsWith('local:')) return localZone(text.slice('local:'.length)) ?? hktZone
  return hktZone
}

export function cookieOfZone(choice: TimeZoneChoice): string {
  return choice === 'local' ? `local:${Intl.DateTimeFormat().resolvedOptions().timeZone}` : choice
}

type Parts = { year: string; month: number; day: string; hour: string; minute: string; second: string }

let latest: { instantMs: number; zoneName: string; parts: Parts } | undefined

/** A row shows its instant in several layouts, one after the other: it is divided into parts once. */
function dateParts(instantMs: number, zoneName: string): Parts {
  if (latest?.instantMs === instantMs && latest.zoneName === zoneName) return latest.parts
  const read = clockParts(instantMs, zoneName)
  const parts = { ...read, month: Number(read.month), day: String(Number(read.day)) }
  latest = { instantMs, zoneName, parts }
  return parts
}

const layouts: Record<TimeFormat, (parts: Parts, month: string, zoneName: string) => string> = {
  'date-time': ({ day, year, hour, minute }, month) => `${day} ${month} ${year}, ${hour}:${minute}`,
  exact: ({ day, year, hour, minute, second }, month) => `${day} ${month} ${year}, ${hour}:${minute}:${second}`,
  short: ({ day, year, hour, minute }, month, zoneName) =>
    `${day} ${month}${year === clockParts(Date.now(), zoneName).year ? '' : ` ${year}`}, ${hour}:${minute}`,
  date: ({ day, year }, month) => `${day} ${month} ${year}`,
  time: ({ hour, minute }) => `${hour}:${minute}`,
  'time-seconds': ({ hour, minute, second }) => `${hour}:${minute}:${second}`,
}

/** An instant in a zone, built from numbers, so that every runtime writes the same text. Null when it is no date. */
export function formatTime(instant: string | number | Date, zone: PageZone, format: TimeFormat): string | null {
  const instantMs = new Date(instant).getTime()
  if (Number.isNaN(instantMs)) return null
  const parts = dateParts(instantMs, zone.name)
  return layouts[format](parts, months[parts.month - 1] ?? '', zone.name)
}

/** `14 Nov 2033` of the day `2033-11-14`, which no zone moves. Anything else, such as a masked day, stays as it is. */
export function dateText<Day extends string | null | undefined>(day: Day): Day | string {
  const [, year = '', month = '', ofMonth = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? []
  const name = months[Number(month) - 1]
  return name === undefined ? day : `${Number(ofMonth)} ${name} ${year}`
}

const steps: [number, string][] = [
  [dayMs, 'd'],
  [hourMs, 'h'],
  [minuteMs, 'min'],
  [secondMs, 's'],
]

/**
 * How long ago an instant was, or how soon it will be: `4 min ago`, `in 2 h`, `just now` below two seconds. What has passed counts whole
 * units; what is ahead is rounded, so that a limit of 24 hours is "in 24 h" when it begins.
 */
export function formatRelative(instantMs: number, nowMs: number): string {
  const distance = Math.abs(nowMs - instantMs)
  const step = steps.find(([size]) => distance >= size)
  if (!step || distance < 2 * secondMs) return 'just now'
  const [size, unit] = step
  return instantMs <= nowMs ? `${Math.floor(distance / size)} ${unit} ago` : `in ${Math.round(distance / size)} ${unit}`
}

const two = (value: number) => String(value).padStart(2, '0')

/** `16:48:09`; what has passed is `00:00:00`. */
export function clockText(durationMs: number): string {
  const left = Math.max(0, durationMs)
  return [Math.floor(left / hourMs), Math.floor((left % hourMs) / minuteMs), Math.floor((left % minuteMs) / secondMs)]
    .map(two)
    .join(':')
}

/** `7 h 12 min`, `12 min`, `8 s`. */
export function durationText(durationMs: number): string {
  const length = Math.max(0, durationMs)
  if (length < minuteMs) return `${Math.floor(length / secondMs)} s`
  const minutes = Math.floor((length % hourMs) / minuteMs)
  const hours = Math.floor(length / hourMs)
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`
}
