import { hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'

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
