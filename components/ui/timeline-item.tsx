import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Tone, toneText } from './tone.ts'

/** One event of a timeline: its mark, its title, its time and its details. */
export function TimelineItem({
  icon: Icon,
  tone,
  title,
  time,
  children,
}: {
  icon: LucideIcon
  tone: Tone
  title: ReactNode
  time: ReactNode
  children: ReactNode
}) {
  return (
    <li className="flex gap-3">
      <span
        className={clsx(
          'mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full border',
          tone === 'neutral' ? 'text-soft' : toneText[tone],
        )}
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          {title}
          {time}
        </div>
        <div className="text-xs wrap-anywhere text-soft">{children}</div>
      </div>
    </li>
  )
}
