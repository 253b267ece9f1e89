import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'

/** A surface with an optional heading row. `isFlush` lets tables and lists touch its edges. */
export function Panel({
  title,
  note,
  actions,
  isFlush = false,
  className,
  children,
}: {
  title?: ReactNode
  note?: ReactNode
  actions?: ReactNode
  isFlush?: boolean
  className?: string
  children?: ReactNode
}) {
  const titleId = useId()
  return (
    <section
      className={clsx('flex min-w-0 flex-col overflow-clip rounded-panel border bg-surface', className)}
      aria-labelledby={title ? titleId : undefined}
    >
      {(title || actions) && (
        <div className={clsx('flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2', isFlush && 'border-b')}>
          {title && (
            <h2 id={titleId} className="font-medium">
              {title}
            </h2>
          )}
          {note && <div className="min-w-0 text-soft">{note}</div>}
          {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      <div className={clsx('grow', !isFlush && (title || actions ? 'px-4 pb-4' : 'p-4'))}>{children}</div>
    </section>
  )
}
