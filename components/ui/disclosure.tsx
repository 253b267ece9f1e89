import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** What few people need, folded below its title until somebody opens it. */
export function Disclosure({
  title,
  tone = 'soft',
  isBordered = false,
  isOpen = false,
  onOpen,
  isWide = false,
  children,
}: {
  /** Null: it stays open, with nothing to fold it by. */
  title: ReactNode
  /** `ink`: as large and as dark as the text around it. */
  tone?: 'soft' | 'warn' | 'ink'
  /** A line above it, at the end of a panel. */
  isBordered?: boolean
  isOpen?: boolean
  /** Called with whether it is open, once a person opened or folded it. */
  onOpen?: (isOpen: boolean) => void
  /** The title takes the whole line. */
  isWide?: boolean
  children: ReactNode
}) {
  return (
    <details
      open={isOpen}
      onToggle={onOpen && ((event) => onOpen(event.currentTarget.open))}
      className={clsx('min-w-0', isBordered && 'mt-3 border-t pt-2.5')}
    >
      <summary
        className={clsx(
          'min-h-6 items-center gap-1 rounded-chip',
          title === null ? 'hidden' : isWide ? 'flex' : 'inline-flex',
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
      <div className={title === null ? undefined : 'mt-2'}>{children}</div>
    </details>
  )
}
