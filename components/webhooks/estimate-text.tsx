import { durationText } from '#components/ui/durations.ts'
import { Time } from '#components/ui/time.tsx'
import type { Estimate } from '#lib/console/webhooks/shapes.ts'
import { secondMs } from '#lib/shared/time.ts'

/** How long ago an instant was; at most, where no more is known than its bounds. */
export function lengthText({ atMs, earliestMs, basis }: Estimate, nowMs: number): string {
  return basis === 'bounds' ? `at most ${durationText(nowMs - earliestMs)}` : durationText(nowMs - atMs)
}

/** How an instant is known: reported, noticed with its margin, or estimated between two bounds. */
export function EstimateText({ estimate }: { estimate: Estimate | null }) {
  if (estimate === null) return <>for longer than the console has watched</>
  const { atMs, earliestMs, latestMs, basis } = estimate
  if (basis === 'service') {
    return (
      <>
        known: <Time instant={atMs} format="time-seconds" />, by the service’s own times
      </>
    )
  }
  if (basis === 'polls') {
    const marginMs = Math.max(secondMs, Math.round((latestMs - earliestMs) / 2))
    return (
      <>
        noticed at <Time instant={latestMs} format="time-seconds" />, ±{durationText(marginMs)}
      </>
    )
  }
  return (
    <>
      {basis === 'schedule' ? 'estimated from the retry schedule, ' : 'estimated, '}
      between <Time instant={earliestMs} /> and <Time instant={latestMs} />
    </>
  )
}
