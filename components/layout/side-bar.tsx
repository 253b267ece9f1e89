'use client'

import { clsx } from 'clsx'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
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

/** The navigation, in groups: only what the caller gives, so that nothing leads nowhere. */
export function SideBar({
  groups,
  head,
  foot,
  onGo,
}: {
  groups: readonly NavigationGroup[]
  head: ReactNode
  foot: ReactNode
  onGo?: () => void
}) {
  const pathname = usePathname()
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="px-3 pt-4 pb-2">{head}</div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-4">
        {groups.map((group, index) => (
          <div key={group.label ?? index} className="pt-1">
            {group.label !== undefined && (
              <div id={`navigation-${index}`} className="px-2 pt-1.5 pb-0.5 text-2xs text-faint">
                {group.label}
              </div>
            )}
            <ul
              className="grid gap-px"
              {...(group.label === undefined ? {} : { 'aria-labelledby': `navigation-${index}` })}
            >
              {group.items.map((item) => (
                <li key={item.href}>
                  <NavigationLink item={item} isHere={isCurrent(item, pathname)} onGo={onGo} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="border-t px-2 py-2">{foot}</div>
    </div>
  )
}

function NavigationLink({
  item,
  isHere,
  onGo,
}: {
  item: NavigationItem
  isHere: boolean
  onGo: (() => void) | undefined
}) {
  return (
    <Link
      href={item.href}
      prefetch={false}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
      {...(onGo ? { onClick: onGo } : {})}
      className={clsx(
        'flex h-7 items-center gap-2.5 rounded-control border px-2 transition-colors pointer-large [&_svg]:size-4 [&_svg]:shrink-0',
        isHere
          ? 'border-line bg-surface font-medium text-ink shadow-control'
          : 'border-transparent text-soft hover:bg-hover hover:text-ink',
      )}
    >
      {item.icon}
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      {item.count !== undefined && item.count > 0 && (
        <span className="rounded-full bg-accent-wash px-1.5 text-2xs text-accent">
          {item.count}
          <span className="sr-only"> waiting</span>
        </span>
      )}
      {item.alert !== undefined && (
        <span title={item.alert} className="rounded-full bg-bad-wash px-1.5 text-2xs font-semibold text-bad">
          <span aria-hidden="true">!</span>
          <span className="sr-only">{item.alert}</span>
        </span>
      )}
    </Link>
  )
}
