import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type Tone, toneText } from './tone.ts'

const radius = 46
const length = 2 * Math.PI * radius

/** A remaining share from 0 to 1, as a ring around a short text. `label` describes it to a screen reader. */
export function Ring({
  share,
  label,
  tone,
  className,
  children,
}: {
  share: number
  label: string
  tone: Tone
  /** How large it is. */
  className: string
  children: ReactNode
}) {
  return (
    <div className={clsx('relative shrink-0', className)}>
      <svg role="img" aria-label={label} viewBox="0 0 104 104" className={clsx('size-full -rotate-90', toneText[tone])}>
        <circle cx="52" cy="52" r={radius} fill="none" strokeWidth="7" className="stroke-line" />
        <circle
          cx="52"
          cy="52"
          r={radius}
          fill="none"
          stroke={share > 0 ? 'currentColor' : 'none'}
          strokeWidth="7"
          strokeLinecap="round"
          strokeDasharray={`${(share * length).toFixed(1)} ${length.toFixed(1)}`}
        />
      </svg>
      <div aria-hidden="true" className="absolute inset-0 flex flex-col items-center justify-center">
        {children}
      </div>
    </div>
  )
}
