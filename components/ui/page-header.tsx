import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'

type Breadcrumb = { label: string; href?: string }

/**
 * The head of a page: breadcrumbs (drawn into the shell's top bar), its title with a badge, a line below it ("as of"),
 * and its actions. The last breadcrumb is the page itself and has no link.
 */
export function PageHeader({
  title,
  breadcrumbs,
  badge,
  subtitle,
  actions,
}: {
  title: ReactNode
  breadcrumbs: readonly Breadcrumb[]
  badge?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <Breadcrumbs items={breadcrumbs} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight">{title}</h1>
          {badge}
        </div>
        {subtitle !== undefined && <div className="mt-0.5 text-soft">{subtitle}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  )
}

function Breadcrumbs({ items }: { items: readonly Breadcrumb[] }) {
  return (
    <nav
      aria-label="Breadcrumbs"
      className="fixed top-(--band-height) left-14 z-30 flex h-(--header-height) max-w-(--crumbs-width) items-center lg:left-[calc(var(--side-width)+1.5rem)]"
    >
      <ol className="flex min-w-0 items-center gap-1.5">
        {items.map((item, index) => {
          const isLast = index === items.length - 1
          return (
            <li
              key={item.href ?? item.label}
              className={clsx('min-w-0 items-center gap-1.5', isLast ? 'flex' : 'hidden shrink-[9] md:flex')}
            >
              {index > 0 && <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 text-faint max-md:hidden" />}
              {item.href && !isLast ? (
                <Link href={item.href} className="truncate rounded-chip py-1 text-soft hover:text-ink">
                  {item.label}
                </Link>
              ) : (
                <span aria-current="page" className="truncate font-medium">
                  {item.label}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
