/** The zones a page can be shown in; a page shows one, and names it. */
export const timeZones = { hkt: 'Asia/Hong_Kong', utc: 'UTC' } as const

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const number = String.raw`(\d+(?:[.,]\d+(?=[DHMS]$))?)`
/** Only the last part may have a fraction. */
const durationPattern = new RegExp(
  `^P(?=\\d|T\\d)(?:${number}D)?(?:T(?=\\d)(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`,
)

/** Milliseconds of an ISO 8601 duration of days to seconds (`PT24H`, `P5DT30M`, `PT1.5S`), or null when it is none or not positive. */
export function parseIsoDurationMs(text: string): number | null {
  const match = durationPattern.exec(text)
  if (!match) return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number((part ?? '0').replace(',', '.')))
  const total = Math.round(days * dayMs + hours * hourMs + minutes * minuteMs + seconds * secondMs)
  return total > 0 && Number.isSafeInteger(total) ? total : null
}

/** The moment of an instant in ISO 8601 or in milliseconds; null where there is none. */
export function toDate(instant: string | number | null | undefined): Date | null {
  return instant === null || instant === undefined ? null : new Date(instant)
}

/** The rule of an instant that the database can store, for `refine`: its calendar has no year 0. */
export const storableInstant = [
  (text: string) => !(new Date(text).getUTCFullYear() < 1),
  'must be in year 1 or later',
] as const

/** Milliseconds since 1970; null where there is no time. */
export function toMs(time: Date | null | undefined): number | null {
  return time?.getTime() ?? null
}

/** ISO 8601 in UTC; null where there is no time. */
export function isoTime(time: Date | null | undefined): string | null {
  return time?.toISOString() ?? null
}
