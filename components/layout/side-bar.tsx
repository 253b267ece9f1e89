'use client'

import { clsx } from 'clsx'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '#components/ui/link.tsx'
import type { Environment } from '#lib/shared/routes.ts'

export type NavigationItem = {
  href: string
  label: string
  icon: ReactNode
  /** Other names by which the palette finds it. */
  keywords?: string | undefined
  /** How many things wait there. */
  count?: number | undefined
  /** A problem on that page, as text; drawn as an exclamation mark. */
  alert?: string | undefined
  /** Current only on this very address; otherwise on those below it too. */
  isExact?: boolean
  /** The pages below it keep the tabs of its area. */
  hasPages?: boolean
}

/** An entry of the side bar, with its pages. */
export type NavigationArea = NavigationItem & { tabs: readonly NavigationItem[] }

export type EnvironmentEntry = {
  environment: Environment
  href: string
  /** Why it cannot do anything yet, such as "not connected". The entry still leads to its page, which says what to set. */
  note?: string | undefined
}

export function isCurrent(item: NavigationItem, pathname: string): boolean {
  return pathname === item.href || (!item.isExact && pathname.startsWith(`${item.href}/`))
}

/** Whether the page shows the tabs of an area with this one as its own: the record pages below a list show none. */
export function isCurrentTab(tab: NavigationItem, pathname: string): boolean {
  return pathname === tab.href || (tab.hasPages === true && isCurrent(tab, pathname))
}

/** The navigation: only what the caller gives, so that nothing leads nowhere. */
export function SideBar({
  areas,
  head,
  foot,
  onGo,
}: {
  areas: readonly NavigationArea[]
  head: ReactNode
  foot: ReactNode
  onGo?: () => void
}) {
  const pathname = usePathname()
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="px-3 pt-4 pb-2">{head}</div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 py-2">
        <ul className="grid gap-px">
          {areas.map((area) => (
            <li key={area.label}>
              <NavigationLink item={area} isHere={area.tabs.some((tab) => isCurrent(tab, pathname))} onGo={onGo} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="border-t px-2 py-2">{foot}</div>
    </div>
  )
}

/** Scrolls the row of tabs, where it is wider than the window, to the open page's. */
function scrollToTab(tab: HTMLElement | null) {
  const row = tab?.closest('nav')
  if (tab && row) row.scrollLeft = tab.offsetLeft - 48
}

/** The pages of the open area, on each of them. */
export function AreaTabs({ areas }: { areas: readonly NavigationArea[] }) {
  const pathname = usePathname()
  const isHere = (tab: NavigationItem) => isCurrentTab(tab, pathname)
  const area = areas.find(({ tabs }) => tabs.some(isHere))
  if (!area || area.tabs.length < 2) return null
  return (
    <nav aria-label={area.label} className="scroll-hint relative -mt-2 mb-5 border-b print:hidden">
      <ul className="flex gap-5">
        {area.tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              href={tab.href}
              ref={isHere(tab) ? scrollToTab : null}
              aria-current={isHere(tab) ? 'page' : undefined}
              className={clsx(
                'flex h-9 items-center border-b-2 whitespace-nowrap transition-colors pointer-large',
                isHere(tab) ? 'border-accent font-medium text-ink' : 'border-transparent text-soft hover:text-ink',
              )}
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
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
      aria-current={isHere ? 'page' : undefined}
      onClick={onGo}
      className={clsx(
        'flex h-8 items-center gap-2.5 rounded-control border px-2 transition-colors pointer-large [&_svg]:size-4 [&_svg]:shrink-0',
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
