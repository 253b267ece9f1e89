'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { Ring } from '#components/ui/ring.tsx'
import { clockText, durationText } from '#components/ui/time-format.ts'
import { useTicking } from '#components/ui/time.tsx'

const OffsetContext = createContext<{ offsetMs: number; readAtMs: number }>({ offsetMs: 0, readAtMs: 0 })

/** How far the service's clock is from the browser's, so that every countdown below follows the service's. */
export function ServiceNow({
  serviceNowMs,
  readAtMs,
  children,
}: {
  /** The service's clock as it was at `readAtMs` of the browser's. */
  serviceNowMs: number
  readAtMs: number
  children: ReactNode
}) {
  const offset = useMemo(() => ({ offsetMs: serviceNowMs - readAtMs, readAtMs }), [serviceNowMs, readAtMs])
  return <OffsetContext value={offset}>{children}</OffsetContext>
}

/** A text that follows the service's clock. On the server it is as of the moment of reading. */
function useServiceTicking(read: (serviceNowMs: number) => string): string {
  const { offsetMs, readAtMs } = useContext(OffsetContext)
  return useTicking((nowMs) => read(nowMs + offsetMs)) ?? read(readAtMs + offsetMs)
}

export function ServiceTicking({ read }: { read: (serviceNowMs: number) => string }) {
  return <>{useServiceTicking(read)}</>
}

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
