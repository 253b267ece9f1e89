import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Time } from './time.tsx'
import { type Tone, toneText } from './tone.ts'

export type TimelineLine = {
  key: string
  at: string | null
  /** The time is by the card service's clock, and the others are not. */
  isByService?: boolean
  /** Concluded and not observed. */
  isInferred?: boolean
  icon: LucideIcon
  tone: Tone
  title: ReactNode
  detail: ReactNode
}

/** What happened to a record, a line each: its mark, its title, its time and its details. */
export function Timeline({ lines }: { lines: readonly TimelineLine[] }) {
  return (
    <ol aria-label="What happened" className="grid gap-3.5">
      {lines.map(({ key, at, isByService, isInferred, icon: Icon, tone, title, detail }) => (
        <li key={key} className="flex gap-3">
          <span
            className={clsx(
              'mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full border',
              isInferred && 'border-dashed border-edge',
              tone === 'neutral' ? 'text-soft' : toneText[tone],
            )}
          >
            <Icon aria-hidden="true" className="size-3.5" />
          </span>
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
              <span className="text-xs text-faint">
                <Time instant={at} missing="Time unknown" />
                {isByService && ' by the card service’s clock'}
              </span>
            </div>
            <div className="text-xs wrap-anywhere text-soft">{detail}</div>
          </div>
        </li>
      ))}
    </ol>
  )
}
