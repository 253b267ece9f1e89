'use client'

import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { serverNowMs } from '#components/environment/server-now.ts'
import { useTicking } from '#components/ui/time.tsx'

/** The service's clock as it was at `readAtMs` of the browser's. */
type ClockReading = { serviceNowMs: number; readAtMs: number }

const ReadingContext = createContext<ClockReading>({ serviceNowMs: 0, readAtMs: 0 })

/** The service's clock, which every countdown below follows. */
export function ServiceNow({ serviceNowMs, readAtMs, children }: ClockReading & { children: ReactNode }) {
  const reading = useMemo(() => ({ serviceNowMs, readAtMs }), [serviceNowMs, readAtMs])
  return <ReadingContext value={reading}>{children}</ReadingContext>
}

/** A text that follows the service's clock. On the server it is as of the moment of reading. */
export function useServiceTicking(read: (serviceNowMs: number) => string): string {
  const { serviceNowMs, readAtMs } = useContext(ReadingContext)
  return useTicking((nowMs) => read(serverNowMs(serviceNowMs, readAtMs, nowMs))) ?? read(serviceNowMs)
}

export function ServiceTicking({ read }: { read: (serviceNowMs: number) => string }) {
  return <>{useServiceTicking(read)}</>
}
