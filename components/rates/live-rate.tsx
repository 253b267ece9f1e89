'use client'

import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { fieldProblem, readFailure } from '#components/environment/when-read.tsx'
import { Sparkline } from '#components/ui/chart.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import type { RateRow, Rates } from '#lib/console/rates/types.ts'
import { isLess, isMore } from '#lib/contract/exact-sum.ts'
import { chartPoints, Freshness, MovementText } from './rate-figures.tsx'
import { RateText } from './rate-text.tsx'

type Pair = { source: string; destination: string }

/** The rate of a pair as it is now: how old it is, how it moved, and its last hour. It keeps itself fresh. Nothing within one currency. */
export function LiveRate({ source, destination }: Pair) {
  return source === destination ? null : <Exchange source={source} destination={destination} />
}

function Exchange({ source, destination }: Pair) {
  const { data, error, dataUpdatedAt } = useRead('readRates', { base: source, currencies: [destination] })
  const row = data?.rows[0]
  const failure = data
    ? null
    : fieldProblem(error, ['INVALID_PARAMETERS']) !== undefined
      ? { title: `The card service has no rate of ${source} in ${destination}.` }
      : readFailure(error, 'The rate')
  return (
    <Frame
      source={source}
      destination={destination}
      aside={data && <Freshness rates={data} readAtMs={dataUpdatedAt} />}
    >
      {failure && (
        <p role="alert" className="mt-1 flex gap-2 text-soft">
          <CloudOff aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
          <span>
            {failure.title} {failure.detail}
          </span>
        </p>
      )}
      {!failure && !row && <Skeleton className="mt-2 h-24 w-full" />}
      {data && row && <Now rates={data} row={row} />}
      {data && row && <LastHour source={source} destination={destination} now={row.rate} />}
    </Frame>
  )
}

function Frame({ source, destination, aside, children }: Pair & { aside: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={`Rate of ${source} in ${destination}`} className="rounded-panel border bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="font-medium">
          {source} / {destination}
        </h2>
        <span className="text-xs text-soft">{aside}</span>
      </div>
      {children}
    </section>
  )
}

function Now({ rates, row }: { rates: Rates; row: RateRow }) {
  return (
    <>
      <p className="mt-1 text-2xl font-semibold tracking-tight">
        <span className="sr-only">1 {rates.baseCurrency} is </span>
        <RateText rate={row.rate} />
        <span className="ml-1.5 text-xs font-normal tracking-normal text-faint">{row.currency}</span>
      </p>
      <p className="mt-1 text-xs text-soft">
        {row.hour ? (
          <>
            <MovementText movement={row.hour} /> in the last hour
          </>
        ) : (
          'No sample of an hour ago to compare with'
        )}
      </p>
    </>
  )
}

/** Its lowest and highest count the present rate, which may not be sampled yet. */
function LastHour({ source, destination, now }: Pair & { now: string }) {
  const { data } = useRead('readRateHistory', { base: source, currency: destination, range: '1h' })
  const isOfThisPair = data?.baseCurrency === source && data.currency === destination
  if (!data || !isOfThisPair || data.points.length === 0) return <span className="mt-2 block h-12" />
  const { fromMs, toMs } = data
  const low = isLess(now, data.low) ? now : data.low
  const high = isMore(now, data.high) ? now : data.high
  return (
    <figure className="mt-2">
      <Sparkline
        points={chartPoints(data)}
        span={{ fromMs, toMs }}
        label={`${source} in ${destination} over the last hour: lowest ${low}, highest ${high}`}
      />
      <figcaption className="mt-1 flex justify-between gap-2 text-2xs text-faint">
        <span>last hour</span>
        {low !== null && high !== null && (
          <span>
            <RateText rate={low} /> – <RateText rate={high} />
          </span>
        )}
      </figcaption>
    </figure>
  )
}
