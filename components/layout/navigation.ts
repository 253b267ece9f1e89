import type { ReactNode } from 'react'
import type { Environment } from '#lib/shared/routes.ts'

export type NavigationItem = {
  href: string
  label: string
  icon: ReactNode
  /** How many things wait there. */
  count?: number | undefined
  /** What is wrong there, as text; drawn as an exclamation mark. */
  alert?: string | undefined
  /** Current only on this very address; otherwise on those below it too. */
  isExact?: boolean
}

export type NavigationGroup = { label?: string; items: readonly NavigationItem[] }

export type EnvironmentEntry = {
  environment: Environment
  href: string
  /** Why it cannot do anything yet, such as "not connected". The entry still leads to its page, which says what to set. */
  note?: string | undefined
}

export function isCurrent(item: NavigationItem, pathname: string): boolean {
  return pathname === item.href || (!item.isExact && pathname.startsWith(`${item.href}/`))
}
