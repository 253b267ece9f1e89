'use client'

import { clsx } from 'clsx'
import { secondMs } from '#lib/shared/time.ts'
import { countdownText } from './quote-time.ts'
import type { Remaining } from './use-remaining.ts'

const radius = 46
const length = 2 * Math.PI * radius

const tones = { none: 'text-accent', open: 'text-accent', 'last-call': 'text-warn', expired: 'text-bad' } as const

/** What is left of a quote, as a ring with the figure in the middle. */
export function QuoteRing({ remaining, lifetimeMs }: { remaining: Remaining; lifetimeMs: number }) {
  const seconds = remaining.seconds ?? 0
  const share = Math.min(1, (seconds * secondMs) / lifetimeMs)
  const text = countdownText(seconds * secondMs)
  return (
    <div className="relative size-24 shrink-0">
      <svg
        role="img"
        aria-label={remaining.state === 'expired' ? 'The quote has expired' : `${seconds} s until the quote expires`}
        viewBox="0 0 104 104"
        className={clsx('size-full -rotate-90', tones[remaining.state])}
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
        <span className="font-mono text-md font-semibold">{text}</span>
        <span className="text-2xs text-soft">{remaining.state === 'expired' ? 'expired' : 'to expiry'}</span>
      </div>
    </div>
  )
}
