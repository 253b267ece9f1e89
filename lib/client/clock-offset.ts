/** How far the service's clock is ahead of this one, by the `Date` header of its responses; null before the first. */
type ClockOffset = {
  note: (date: unknown, sentMs: number, receivedMs: number) => void
  offsetMs: () => number | null
}

export function clockOffset(): ClockOffset {
  let offsetMs: number | null = null
  return {
    note(date, sentMs, receivedMs) {
      const at = typeof date === 'string' ? Date.parse(date) : Number.NaN
      // The header has whole seconds, so on average the service's clock was half a second further.
      if (!Number.isNaN(at)) offsetMs = Math.round(at + 500 - (sentMs + receivedMs) / 2)
    },
    offsetMs: () => offsetMs,
  }
}
