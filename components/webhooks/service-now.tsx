'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { useTicking } from '#components/ui/ticking.ts'

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
  return <OffsetContext value={{ offsetMs: serviceNowMs - readAtMs, readAtMs }}>{children}</OffsetContext>
}

/** A text that follows the service's clock. On the server it is as of the moment of reading. */
export function useServiceTicking(read: (serviceNowMs: number) => string): string {
  const { offsetMs, readAtMs } = useContext(OffsetContext)
  return useTicking((nowMs) => read(nowMs + offsetMs)) ?? read(readAtMs + offsetMs)
}

export function ServiceTicking({ read }: { read: (serviceNowMs: number) => string }) {
  return <>{useServiceTicking(read)}</>
}
