import type { ReactNode } from 'react'
import { Badge } from './badge.tsx'
import type { Tone } from './tone.ts'

/** A status: a label with an icon, or with a dot where it has none; never only a colour. */
export function StatusBadge({
  tone = 'neutral',
  label,
  icon,
  className,
}: {
  tone?: Tone
  label: string
  icon?: ReactNode
  className?: string
}) {
  return (
    <Badge
      tone={tone}
      icon={icon ?? <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />}
      {...(className ? { className } : {})}
    >
      {label}
    </Badge>
  )
}
