import type { ReactNode } from 'react'

/** One figure with its label: the figure first on screen, the label first for screen readers. */
export function Stat({
  label,
  value,
  note,
  aside,
  children,
}: {
  label: ReactNode
  value: ReactNode
  note?: ReactNode
  aside?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="min-w-0">
      <div className="flex items-baseline justify-between gap-2 text-xs text-soft">
        <span className="min-w-0 truncate">{label}</span>
        {aside && <span className="shrink-0 text-faint">{aside}</span>}
      </div>
      <div className="mt-0.5 min-w-0 text-lg font-medium tracking-tight">{value}</div>
      {note && <div className="mt-0.5 text-xs text-soft">{note}</div>}
      {children}
    </div>
  )
}
