'use client'

import { clsx } from 'clsx'
import { useSyncExternalStore } from 'react'
import { NotProvided } from './not-provided.tsx'
import { usePageZone } from './page-zone.tsx'
import { formatRelative, formatTime, type PageZone, type TimeFormat } from './time-format.ts'

type TimeProps = {
  instant: string | number | Date | null | undefined
  format?: TimeFormat
  /** Text where there is no time, such as `Never`. Without it: not provided. */
  missing?: string
  /** Appends the zone's label, where a time is shown on its own. */
  isZoneShown?: boolean
  className?: string
}

/** An instant in the page's zone. Its title says it to the second, with the zone and as UTC. */
export function Time({ isZoneShown = false, ...instant }: TimeProps) {
  return <Instant {...instant} formatLabel={(time, zone) => (isZoneShown ? `${time} ${zone.label}` : time)} />
}

/** How long ago: absolute in the server's HTML, relative and alive once the browser has taken over. */
export function RelativeTime(time: Pick<TimeProps, 'instant' | 'format'>) {
  const instantMs = new Date(time.instant ?? Number.NaN).getTime()
  const relative = useTicking((nowMs) => (Number.isNaN(instantMs) ? '' : formatRelative(instantMs, nowMs)))
  return <Instant {...time} formatLabel={(absolute) => relative ?? absolute} />
}

function Instant({
  instant,
  format = 'date-time',
  missing,
  className,
  formatLabel,
}: Omit<TimeProps, 'isZoneShown'> & { formatLabel: (time: string, zone: PageZone) => string }) {
  const zone = usePageZone()
  const time = formatTime(instant ?? Number.NaN, zone, format)
  if (time === null && missing !== undefined) return <span className={clsx('text-faint', className)}>{missing}</span>
  if (time === null) return <NotProvided className={className} />
  const iso = new Date(instant ?? Number.NaN).toISOString()
  return (
    <time
      dateTime={iso}
      title={`${formatTime(iso, zone, 'exact')} ${zone.label} · ${iso}`}
      className={`whitespace-nowrap ${className ?? ''}`}
    >
      {formatLabel(time, zone)}
    </time>
  )
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    if (document.visibilityState === 'visible') for (const tick of listeners) tick()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** A text that depends on the time of day, read again each second; null while the server's HTML is taken over. */
export function useTicking(read: (nowMs: number) => string): string | null {
  return useSyncExternalStore(
    subscribe,
    () => read(Date.now()),
    () => null,
  )
}
