'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'
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
export function useServiceTicking(read: (serviceNowMs: number) => string): string {
  const { offsetMs, readAtMs } = useContext(OffsetContext)
  return useTicking((nowMs) => read(nowMs + offsetMs)) ?? read(readAtMs + offsetMs)
}

export function ServiceTicking({ read }: { read: (serviceNowMs: number) => string }) {
  return <>{useServiceTicking(read)}</>
}
