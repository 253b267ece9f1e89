'use client'

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useLiveState } from '#components/live/live-state.ts'
import type { Tone } from '#components/ui/tone.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { markOf } from './health-mark-text.ts'

const dots: Record<Tone, string> = {
  neutral: 'bg-edge',
  accent: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
}

/** The service's status with a dot, in the top bar of every page. */
export function HealthMark({ environment }: { environment: Environment }) {
  const { data, error, dataUpdatedAt } = useQuery(readQuery('readServiceHealth', environment))
  const live = useLiveState()
  const { label, tone, meaning } = markOf(data, { error, readAtMs: dataUpdatedAt, live })
  return (
    <output title={meaning} data-live={live} className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden="true" className={clsx('size-2 rounded-full', dots[tone])} />
      <span className="sr-only">Service: </span>
      <span className="max-sm:sr-only">{label}</span>
    </output>
  )
}
