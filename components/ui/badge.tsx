import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type Tone, toneWash } from './tone.ts'

/** A small label in a tone. For a status use StatusBadge, which adds a mark, so that it does not rely on colour. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
  className,
}: {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <span
      className={clsx(
        'inline-flex h-5 max-w-full align-middle items-center gap-1.5 rounded-full px-2 text-2xs font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0',
        toneWash[tone],
        className,
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  )
}
