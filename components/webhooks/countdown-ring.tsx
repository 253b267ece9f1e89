'use client'

import { clsx } from 'clsx'
import { type Tone, toneText } from '#components/ui/tone.ts'
import { clockText, durationText } from './durations.ts'
import { useServiceTicking } from './service-now.tsx'

const radius = 46
const length = 2 * Math.PI * radius

/** What is left until an instant of the service's clock, as a ring with the figure in the middle. */
export function CountdownRing({
  untilMs,
  wholeMs,
  label,
  tone,
  isEstimate,
}: {
  untilMs: number
  wholeMs: number
  label: string
  tone: Tone
  isEstimate: boolean
}) {
  const left = Number(useServiceTicking((nowMs) => String(Math.max(0, untilMs - nowMs))))
  const share = Math.min(1, left / wholeMs)
  return (
    <div className="relative size-32 shrink-0 @2xl:self-center">
      <svg
        role="img"
        aria-label={`${isEstimate ? 'At least about ' : ''}${durationText(left)} ${label}`}
        viewBox="0 0 104 104"
        className={clsx('size-full -rotate-90', toneText[tone])}
      >
        <circle cx="52" cy="52" r={radius} fill="none" strokeWidth="7" className="stroke-line" />
        <circle
          cx="52"
          cy="52"
          r={radius}
          fill="none"
          stroke={share > 0 ? 'currentColor' : 'none'}
          strokeWidth="7"
          strokeLinecap="round"
          strokeDasharray={`${(share * length).toFixed(1)} ${length.toFixed(1)}`}
        />
      </svg>
      <div aria-hidden="true" className="absolute inset-0 flex flex-col items-center justify-center">
        <span className="font-mono text-md font-semibold">{clockText(left)}</span>
        <span className="text-2xs text-soft">{label}</span>
        {isEstimate && <span className="text-2xs text-faint">estimated</span>}
      </div>
    </div>
  )
}
