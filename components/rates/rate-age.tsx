'use client'

import { clsx } from 'clsx'
import { durationText } from '#components/ui/time-format.ts'
import { Time, useTicking } from '#components/ui/time.tsx'
import type { Rates } from '#lib/console/rates/shapes.ts'
import { secondMs } from '#lib/shared/time.ts'

/** A rate that is older than this is shown as old. */
const oldMs = 15 * secondMs

/** How old a rate is, counting by the console's clock: `readAtMs` is the browser's time of reading it. */
export function RateAge({ rates, readAtMs, className }: { rates: Rates; readAtMs: number; className?: string }) {
  const offsetMs = Date.parse(rates.now) - readAtMs
  const atMs = Date.parse(rates.at)
  const ageMs = (nowMs: number) => Math.max(0, nowMs + offsetMs - atMs)
  const text =
    useTicking((nowMs) => `${ageMs(nowMs) > oldMs ? '!' : ''}${durationText(ageMs(nowMs))}`) ??
    durationText(Date.parse(rates.now) - atMs)
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
