import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'

/** An empty list: what is missing, why, and the next step. */
export function EmptyState({
  title,
  icon,
  actions,
  children,
}: {
  title: string
  icon?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <div aria-hidden="true" className="mb-3 text-faint [&_svg]:size-6">
        {icon ?? <Inbox strokeWidth={1.5} />}
      </div>
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="mt-1 max-w-sm text-soft text-pretty">{children}</div>}
      {actions !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}
