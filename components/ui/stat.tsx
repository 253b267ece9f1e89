import type { ReactNode } from 'react'

/** One figure with its label: the figure first on screen, the label first for screen readers. */
export function Stat({
  label,
  value,
  note,
  children,
}: {
  label: ReactNode
  value: ReactNode
  note?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="min-w-0">
      <div className="min-w-0 truncate text-xs text-soft">{label}</div>
      <div className="mt-0.5 min-w-0 text-lg font-medium tracking-tight">{value}</div>
      {note && <div className="mt-0.5 text-xs text-soft">{note}</div>}
      {children}
    </div>
  )
}
