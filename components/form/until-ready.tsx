'use client'

import { type ReactNode, useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * Fields that take nothing before the page's script is there: what is chosen or typed until then would stand on the screen
 * and not count.
 */
export function UntilReady({ children }: { children: ReactNode }) {
  const isReady = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return (
    <fieldset disabled={!isReady} className="contents">
      {children}
    </fieldset>
  )
}
