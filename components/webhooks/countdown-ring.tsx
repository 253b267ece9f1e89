'use client'

import { Ring } from '#components/ui/ring.tsx'
import { clockText, durationText } from '#components/ui/time-format.ts'
import { useServiceTicking } from './service-now.tsx'

/** The remaining time until an instant of the service's clock, as a ring with the figure in the middle. */
export function CountdownRing({
  untilMs,
  wholeMs,
  isEstimate,
}: {
  untilMs: number
  wholeMs: number
  isEstimate: boolean
}) {
  const left = Number(useServiceTicking((nowMs) => String(Math.max(0, untilMs - nowMs))))
  return (
    <Ring
      share={Math.min(1, left / wholeMs)}
      label={`${isEstimate ? 'At least about ' : ''}${durationText(left)} to deletion`}
      tone="bad"
      className="size-32 @2xl:self-center"
    >
      <span className="font-mono text-md font-semibold">{clockText(left)}</span>
      <span className="text-2xs text-soft">to deletion</span>
      {isEstimate && <span className="text-2xs text-faint">estimated</span>}
    </Ring>
  )
}
