import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Tone, toneWash } from './tone.ts'

const marks = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert, info: Info, accent: Info, neutral: Info }

const borders: Record<Tone, string> = {
  neutral: 'border-line',
  accent: 'border-accent/25',
  good: 'border-good/25',
  warn: 'border-warn/25',
  bad: 'border-bad/25',
  info: 'border-info/25',
}

/** A message in the page. `isAlert` makes a screen reader say it when it appears (bad and warn: at once). */
export function Callout({
  tone = 'info',
  title,
  actions,
  isAlert = false,
  className,
  children,
}: {
  tone?: Tone
  title?: ReactNode
  actions?: ReactNode
  isAlert?: boolean
  className?: string
  children?: ReactNode
}) {
  const Mark = marks[tone]
  return (
    <div
      role={isAlert ? (tone === 'bad' || tone === 'warn' ? 'alert' : 'status') : undefined}
      className={clsx(
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-panel border px-4 py-2.5',
        toneWash[tone],
        borders[tone],
        className,
      )}
    >
      <div className="flex min-w-0 flex-1 basis-56 items-start gap-3 self-center">
        <Mark aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0 flex-1">
          {title && <span className="mr-2 font-semibold">{title}</span>}
          {children}
        </div>
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  )
}
