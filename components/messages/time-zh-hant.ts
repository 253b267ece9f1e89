import type { PageZone } from '#components/ui/time-format.ts'
import { clockParts } from '#lib/shared/wall-clock.ts'

export const hongKongTime = '香港時間'

/** An instant in a page's zone, without its year: "12月1日 00:00 香港時間". Throws `RangeError` where it is no date. */
export function formatTimeZhHant(instant: string, { choice, name }: PageZone): string {
  const { month, day, hour, minute } = clockParts(new Date(instant), name)
  return `${Number(month)}月${Number(day)}日 ${hour}:${minute} ${choice === 'hkt' ? hongKongTime : name}`
}
