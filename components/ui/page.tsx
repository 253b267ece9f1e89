import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

type Breadcrumb = { label: string; href?: string }

type PageHeaderProps = {
  title: string
  /** The breadcrumb of the page itself, where it is not the title. */
  label?: string | undefined
  /** The breadcrumbs before it. */
  above?: readonly Breadcrumb[]
  badge?: ReactNode
  /** A line below the title, such as "as of". */
  subtitle?: ReactNode
  actions?: ReactNode
}

/** A page: its head, and its content below it. `isDense` is for lists. */
export function Page({
  isDense = false,
  className,
  children,
  ...header
}: PageHeaderProps & { isDense?: boolean; className?: string; children?: ReactNode }) {
  return (
    <div className={clsx('grid min-w-0', isDense ? 'gap-4' : 'gap-5', className)}>
      <PageHeader {...header} />
      {children}
    </div>
  )
}

/** The head of a page. Its breadcrumbs are drawn into the shell's top bar. */
export function PageHeader({ title, label = title, above = [], badge, subtitle, actions }: PageHeaderProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <Breadcrumbs items={[...above, { label }]} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {badge}
        </div>
        {subtitle && <div className="mt-0.5 text-soft">{subtitle}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  )
}

/** Where there is little room, the page and the one above it; each keeps a letter or two. */
function Breadcrumbs({ items }: { items: readonly Breadcrumb[] }) {
  return (
    <nav
      aria-label="Breadcrumbs"
      className="fixed top-(--band-height) left-14 z-30 flex h-(--header-height) max-w-(--crumbs-width) items-center lg:left-[calc(var(--side-width)+1.5rem)]"
    >
      <ol className="flex min-w-0 items-center gap-1.5">
        {items.map((item, index) => {
          const after = items.length - 1 - index
          const isLast = after === 0
          return (
            <li
              key={item.href ?? item.label}
              className={clsx(
                'items-center gap-1.5',
                isLast ? 'flex min-w-0' : ['hidden min-w-8 shrink-[9]', index > 0 && 'lg:min-w-13'],
                after === 1 && 'md:flex',
                after > 1 && 'lg:flex',
              )}
            >
              {index > 0 && (
                <ChevronRight
                  aria-hidden="true"
                  className={clsx('size-3.5 shrink-0 text-faint', isLast ? 'max-md:hidden' : 'max-lg:hidden')}
                />
              )}
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
