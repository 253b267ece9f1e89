'use client'

import { Ring } from '#components/ui/ring.tsx'
import { secondMs } from '#lib/shared/time.ts'
import { countdownText } from './quote-time.ts'
import type { Remaining } from './use-remaining.ts'

const tones = { none: 'accent', open: 'accent', 'last-call': 'warn', expired: 'bad' } as const

/** What is left of a quote, as a ring with the figure in the middle. */
export function QuoteRing({ remaining, lifetimeMs }: { remaining: Remaining; lifetimeMs: number }) {
  const seconds = remaining.seconds ?? 0
  const isExpired = remaining.state === 'expired'
  return (
    <Ring
      share={Math.min(1, (seconds * secondMs) / lifetimeMs)}
      label={isExpired ? 'The quote has expired' : `${seconds} s until the quote expires`}
      tone={tones[remaining.state]}
      className="size-24"
    >
      <span className="font-mono text-md font-semibold">{countdownText(seconds * secondMs)}</span>
      <span className="text-2xs text-soft">{isExpired ? 'expired' : 'to expiry'}</span>
    </Ring>
  )
}
