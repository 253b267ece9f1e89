import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** What few people need, folded below its title until somebody opens it. */
export function Disclosure({
  title,
  tone = 'soft',
  isBordered = false,
  children,
}: {
  title: string
  tone?: 'soft' | 'warn'
  /** A line above it, at the end of a panel. */
  isBordered?: boolean
  children: ReactNode
}) {
  return (
    <details className={clsx('group/disclosure min-w-0', isBordered && 'mt-3 border-t pt-2.5')}>
      <summary
        className={clsx(
          'inline-flex min-h-6 items-center gap-1 rounded-chip text-xs',
          tone === 'warn' ? 'text-warn' : 'text-soft hover:text-ink',
        )}
      >
        <ChevronRight aria-hidden="true" className="size-3.5 transition-transform group-open/disclosure:rotate-90" />
        {title}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  )
}
