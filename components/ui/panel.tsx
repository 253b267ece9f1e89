import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'

/** A surface with an optional heading row. `isFlush` lets tables and lists touch its edges. */
export function Panel({
  title,
  note,
  actions,
  footer,
  isFlush = false,
  level = 2,
  className,
  children,
}: {
  title?: ReactNode
  note?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  isFlush?: boolean
  level?: 2 | 3
  className?: string
  children?: ReactNode
}) {
  const titleId = useId()
  const Heading = `h${level}` as const
  return (
    <section
      className={clsx('flex min-w-0 flex-col overflow-clip rounded-panel border bg-surface', className)}
      aria-labelledby={title === undefined ? undefined : titleId}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className={clsx('flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2', isFlush && 'border-b')}>
          {title !== undefined && (
            <Heading id={titleId} className="font-medium">
              {title}
            </Heading>
          )}
          {note !== undefined && <div className="min-w-0 text-soft">{note}</div>}
          {actions !== undefined && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      <div className={clsx('grow', !isFlush && (title === undefined && actions === undefined ? 'p-4' : 'px-4 pb-4'))}>
        {children}
      </div>
      {footer !== undefined && <div className="border-t px-4 py-2.5 text-soft">{footer}</div>}
    </section>
  )
}
