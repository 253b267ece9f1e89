import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Tone } from './tone.ts'

const dots: Record<Tone, string> = {
  neutral: 'bg-faint ring-hover',
  accent: 'bg-accent ring-accent-wash',
  good: 'bg-good ring-good-wash',
  warn: 'bg-warn ring-warn-wash',
  bad: 'bg-bad ring-bad-wash',
  info: 'bg-info ring-info-wash',
}

type RailStop = {
  status: string | null
  label: string
  tone: Tone
  isNow: boolean
  isReached: boolean
  /** Below the label: when, and by whom. */
  detail?: ReactNode
}

/** The statuses of one thing in their order: those it was in, the one it is in, those that may follow. */
export function StatusRail({ stops, labelClassName }: { stops: readonly RailStop[]; labelClassName?: string }) {
  return (
    <ol aria-label="Status so far" className="grid @md:flex">
      {stops.map((stop, index) => (
        <Stop
          key={`${stop.status}-${index}`}
          stop={stop}
          labelClassName={labelClassName}
          isFirst={index === 0}
          isLast={index === stops.length - 1}
          isNextReached={stops[index + 1]?.isReached ?? false}
        />
      ))}
    </ol>
  )
}

function Stop({
  stop,
  labelClassName,
  isFirst,
  isLast,
  isNextReached,
}: {
  stop: RailStop
  labelClassName: string | undefined
  isFirst: boolean
  isLast: boolean
  isNextReached: boolean
}) {
  const { label, tone, isNow, isReached, detail } = stop
  const line = (isSolid: boolean) => (isSolid ? 'border-edge/60' : 'border-dashed border-line')
  return (
    <li
      aria-current={isNow ? 'step' : undefined}
      className="relative flex min-w-0 flex-1 items-start gap-3 @max-md:pb-3 @max-md:last:pb-0 @md:flex-col @md:items-center @md:gap-1.5 @md:text-center"
    >
      {!isFirst && (
        <span
          aria-hidden="true"
          className={clsx('absolute top-[7px] right-1/2 left-0 mr-2.5 border-t @max-md:hidden', line(isReached))}
        />
      )}
      {!isLast && (
        <>
          <span
            aria-hidden="true"
            className={clsx('absolute top-5 bottom-0 left-[7px] -mb-0.5 border-l @md:hidden', line(isNextReached))}
          />
          <span
            aria-hidden="true"
            className={clsx('absolute top-[7px] right-0 left-1/2 ml-2.5 border-t @max-md:hidden', line(isNextReached))}
          />
        </>
      )}
      <span className="flex size-4 shrink-0 items-center justify-center @max-md:mt-0.5">
        <span
          aria-hidden="true"
          className={clsx(
            'rounded-full',
            isNow ? `size-3 ring-4 ${dots[tone]}` : isReached ? 'size-2.5 bg-good' : 'size-2.5 bg-line',
          )}
        />
      </span>
      <span className="min-w-0 px-1">
        <span
          className={clsx('block', labelClassName, isNow ? 'font-semibold' : isReached ? 'text-soft' : 'text-faint')}
        >
          {label}
          {!isReached && <span className="sr-only"> (not reached)</span>}
        </span>
        {detail !== undefined && <span className="block text-2xs text-faint">{detail}</span>}
      </span>
    </li>
  )
}
