import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** What few people need, folded below its title until somebody opens it. */
export function Disclosure({
  title,
  tone = 'soft',
  isBordered = false,
  isOpen = false,
  isWide = false,
  children,
}: {
  title: ReactNode
  /** `ink`: as large and as dark as the text around it. */
  tone?: 'soft' | 'warn' | 'ink'
  /** A line above it, at the end of a panel. */
  isBordered?: boolean
  isOpen?: boolean
  /** The title takes the whole line. */
  isWide?: boolean
  children: ReactNode
}) {
  return (
    <details open={isOpen} className={clsx('min-w-0', isBordered && 'mt-3 border-t pt-2.5')}>
      <summary
        className={clsx(
          'min-h-6 items-center gap-1 rounded-chip',
          isWide ? 'flex' : 'inline-flex',
          tone !== 'ink' && 'text-xs',
          tone === 'warn' && 'text-warn',
          tone === 'soft' && 'text-soft hover:text-ink',
        )}
      >
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 shrink-0 text-faint transition-transform [[open]>summary>&]:rotate-90"
        />
        {title}
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  )
}
