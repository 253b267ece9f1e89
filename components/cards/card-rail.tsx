'use client'

import { clsx } from 'clsx'
import { Time } from '#components/ui/time.tsx'
import type { Tone } from '#components/ui/tone.ts'
import type { CardHistory, CardRailStop } from '#lib/console/card-history.ts'
import { cardStatusEntry } from './card-status.ts'

const dots: Record<Tone, string> = {
  neutral: 'bg-faint ring-hover',
  accent: 'bg-accent ring-accent-wash',
  good: 'bg-good ring-good-wash',
  warn: 'bg-warn ring-warn-wash',
  bad: 'bg-bad ring-bad-wash',
  info: 'bg-info ring-info-wash',
}

/** A card's life so far: each status with its time and who brought it there, as far as the console knows. */
export function CardRail({ history }: { history: CardHistory }) {
  return (
    <ol aria-label="Status so far" className="grid @md:flex">
      {history.rail.map((stop, index) => (
        <Stop
          key={`${stop.status}-${index}`}
          stop={stop}
          isFirst={index === 0}
          isLast={index === history.rail.length - 1}
          isNextReached={history.rail[index + 1]?.reached ?? false}
        />
      ))}
    </ol>
  )
}

function Stop({
  stop,
  isFirst,
  isLast,
  isNextReached,
}: {
  stop: CardRailStop
  isFirst: boolean
  isLast: boolean
  isNextReached: boolean
}) {
  const { word, tone } = cardStatusEntry(stop.status)
  const line = (isReached: boolean) => (isReached ? 'border-edge/60' : 'border-dashed border-line')
  return (
    <li
      {...(stop.isNow ? { 'aria-current': 'step' as const } : {})}
      className="relative flex min-w-0 flex-1 items-start gap-3 @max-md:pb-3 @max-md:last:pb-0 @md:flex-col @md:items-center @md:gap-1.5 @md:text-center"
    >
      {!isFirst && (
        <span
          aria-hidden="true"
          className={clsx('absolute top-[7px] right-1/2 left-0 mr-2.5 border-t @max-md:hidden', line(stop.reached))}
        />
      )}
      {!isLast && (
        <span
          aria-hidden="true"
          className={clsx('absolute top-5 bottom-0 left-[7px] -mb-0.5 border-l @md:hidden', line(isNextReached))}
        />
      )}
      {!isLast && (
        <span
          aria-hidden="true"
          className={clsx('absolute top-[7px] right-0 left-1/2 ml-2.5 border-t @max-md:hidden', line(isNextReached))}
        />
      )}
      <span className="flex size-4 shrink-0 items-center justify-center @max-md:mt-0.5">
        <span
          aria-hidden="true"
          className={clsx(
            'rounded-full',
            stop.isNow ? `size-3 ring-4 ${dots[tone]}` : stop.reached ? 'size-2.5 bg-good' : 'size-2.5 bg-line',
          )}
        />
      </span>
      <span className="min-w-0 px-1">
        <span className={clsx('block', stop.isNow ? 'font-semibold' : stop.reached ? 'text-soft' : 'text-faint')}>
          {word}
          {!stop.reached && <span className="sr-only"> (not reached)</span>}
        </span>
        {(stop.at !== null || stop.isNow) && (
          <span className="block text-2xs text-faint">
            {stop.at ? <Time instant={stop.at} /> : 'since when is not known'}
            {stop.by && <span className="wrap-anywhere">, by {stop.by.name}</span>}
          </span>
        )}
      </span>
    </li>
  )
}
