'use client'

import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, Equal } from 'lucide-react'
import { serverNowMs } from '#components/environment/server-now.ts'
import type { ChartPoint } from '#components/ui/chart.tsx'
import { noValue } from '#components/ui/not-provided.tsx'
import { durationText } from '#components/ui/time-format.ts'
import { Time, useTicking } from '#components/ui/time.tsx'
import { toneText, type Tone } from '#components/ui/tone.ts'
import type { Movement, RateHistory, Rates } from '#lib/console/rates/types.ts'
import { secondMs } from '#lib/shared/time.ts'

type Entry = { label: string; tone: Tone; icon: typeof ArrowUp; sign: string }

const movementTable: Record<Movement['direction'], Entry> = {
  up: { label: 'up', tone: 'good', icon: ArrowUp, sign: '+' },
  down: { label: 'down', tone: 'bad', icon: ArrowDown, sign: '−' },
  same: { label: 'unchanged', tone: 'neutral', icon: Equal, sign: '' },
}

/** `0.0123 %`, without its sign; a change too small for four decimals is "under 0.0001 %". */
export function percentText({ direction, percent }: Movement): string {
  const size = percent.replace(/^[-+]/, '')
  return direction !== 'same' && /^[0.]+$/.test(size) ? `under ${size.slice(0, -1)}1 %` : `${size} %`
}

/** How a rate moved, in a word, with an arrow and a colour: "up 0.0123 %". */
export function MovementText({ movement }: { movement: Movement | null }) {
  if (movement === null) return <span className="text-faint">no sample to compare with</span>
  const { label, tone, icon: Icon } = movementTable[movement.direction]
  return (
    <span className={clsx('whitespace-nowrap', toneText[tone])}>
      <Icon aria-hidden="true" className="mr-0.5 -ml-0.5 inline size-3.5 align-[-0.175em]" />
      {label} {movement.direction !== 'same' && percentText(movement)}
    </span>
  )
}

/** A movement in a table cell: sign and arrow on screen, a word for screen readers. */
export function MovementCell({ movement }: { movement: Movement | null }) {
  if (movement === null) {
    return (
      <span className="text-faint" title="There is no sample of that time">
        <span aria-hidden="true">{noValue}</span>
        <span className="sr-only">no sample to compare with</span>
      </span>
    )
  }
  const { label, tone, icon: Icon, sign } = movementTable[movement.direction]
  return (
    <span className={clsx('inline-flex items-center gap-1 whitespace-nowrap', toneText[tone])}>
      <span className="sr-only">{label}</span>
      <Icon aria-hidden="true" className="size-3 shrink-0" />
      <span>
        {sign}
        {percentText(movement)}
      </span>
    </span>
  )
}

/** A rate that is older than this is shown as old. */
const oldMs = 15 * secondMs

/** How old a rate is, counting by the console's clock: `readAtMs` is the browser's time of reading it. */
export function RateAge({ rates, readAtMs, className }: { rates: Rates; readAtMs: number; className?: string }) {
  const [consoleMs, atMs] = [Date.parse(rates.now), Date.parse(rates.at)]
  const ageMs = (nowMs: number) => Math.max(0, serverNowMs(consoleMs, readAtMs, nowMs) - atMs)
  const text =
    useTicking((nowMs) => `${ageMs(nowMs) > oldMs ? '!' : ''}${durationText(ageMs(nowMs))}`) ??
    durationText(consoleMs - atMs)
  const isOld = text.startsWith('!')
  return (
    <span className={clsx('whitespace-nowrap', isOld && 'font-medium text-warn', className)}>
      {text.replace('!', '')} old
    </span>
  )
}

/** Live, or since when it is not. */
export function Freshness({ rates, readAtMs }: { rates: Rates; readAtMs: number }) {
  const age = <RateAge rates={rates} readAtMs={readAtMs} />
  if (rates.freshness.source === 'service') return <>live · {age}</>
  return (
    <span className="text-warn">
      last read <Time instant={rates.at} format="time-seconds" isZoneShown /> · {age}
    </span>
  )
}

/** The points of a history for drawing, as floats. The line breaks at gaps. */
export function chartPoints({ points, gaps }: Pick<RateHistory, 'points' | 'gaps'>): ChartPoint[] {
  const ends = new Set(gaps.map(({ toMs }) => toMs))
  return points.map(({ fromMs, toMs, low, high, close }) => ({
    atMs: toMs,
    value: Number(close),
    low: Number(low),
    high: Number(high),
    isAfterGap: ends.has(fromMs),
  }))
}
