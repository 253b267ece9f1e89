'use client'

import { clsx } from 'clsx'
import { ChartNoAxesColumn } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { count } from '#components/ui/count.ts'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { LineChart } from '#components/ui/line-chart.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { formatTime, type TimeFormat } from '#components/ui/time-format.ts'
import { Time } from '#components/ui/time.tsx'
import type { RateRange } from '#lib/api/rates.ts'
import type { RateHistory, RatePoint, RateRow, Rates } from '#lib/console/rates/types.ts'
import { isLess, isMore } from '#lib/contract/exact-sum.ts'
import { dayMs, minuteMs } from '#lib/shared/time.ts'
import { chartPoints, MovementText } from './rate-figures.tsx'
import { rangeLabels } from './rate-params.ts'
import { RateText } from './rate-text.tsx'

const cell = 'border-t px-3 py-1.5 text-right'

type Entry = { kind: 'point'; point: RatePoint } | { kind: 'gap'; fromMs: number; toMs: number }

/** The chart as rows, the newest first, with its gaps in their places. */
function PointTable({ history }: { history: RateHistory }) {
  const entries: Entry[] = [
    ...history.points.map((point): Entry => ({ kind: 'point', point })),
    ...history.gaps.map((gap): Entry => ({ kind: 'gap', ...gap })),
  ].toSorted((one, other) => entryEndMs(other) - entryEndMs(one))
  return (
    <section
      aria-label="Samples as a table"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-control border"
    >
      <table className="w-full text-xs">
        <caption className="sr-only">
          {history.baseCurrency} in {history.currency}, the newest first
        </caption>
        <thead className="sticky top-0 bg-surface text-2xs text-faint">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              Until
            </th>
            {['Open', 'Low', 'High', 'Close', 'Samples'].map((label) => (
              <th key={label} scope="col" className="px-3 py-1.5 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) =>
            entry.kind === 'gap' ? (
              <tr key={`gap-${entry.fromMs}`} className="bg-hover text-soft">
                <td className="border-t px-3 py-1.5 text-left" colSpan={6}>
                  No samples from <Time instant={entry.fromMs} format="exact" /> to{' '}
                  <Time instant={entry.toMs} format="exact" />
                </td>
              </tr>
            ) : (
              <tr key={entry.point.toMs}>
                <td className="border-t px-3 py-1.5 text-left text-soft">
                  <Time instant={entry.point.toMs} format="exact" />
                </td>
                {(['open', 'low', 'high', 'close'] as const).map((figure) => (
                  <td key={figure} className={cell}>
                    <RateText rate={entry.point[figure]} />
                  </td>
                ))}
                <td className={cell}>{count.format(entry.point.samples)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  )
}

function entryEndMs(entry: Entry): number {
  return entry.kind === 'gap' ? entry.toMs : entry.point.toMs
}

/** The history of a pair over a range, as a chart or as a table. */
export function RateHistoryFigure({
  base,
  currency,
  range,
  view,
  now,
}: {
  base: string
  currency: string
  range: RateRange
  view: 'chart' | 'table'
  /** The pair's present rate, with which the chart ends. */
  now: PresentRate | null
}) {
  const history = useRead('readRateHistory', { base, currency, range })
  return (
    <WhenRead query={history} what="The history" blocks={['h-80 rounded-control']}>
      {(data) => (
        <div className={clsx('grid min-w-0 gap-2 transition-opacity', history.isPlaceholderData && 'opacity-60')}>
          {data.points.length === 0 ? (
            <EmptyState
              title={`No samples of ${data.baseCurrency} in ${data.currency} in ${rangeLabels[data.range].long}`}
              icon={<ChartNoAxesColumn strokeWidth={1.5} />}
            >
              The history starts with the first sample.
            </EmptyState>
          ) : view === 'chart' ? (
            <HistoryChart history={withPresent(data, now)} />
          ) : (
            <PointTable history={data} />
          )}
          <Notes history={data} />
        </div>
      )}
    </WhenRead>
  )
}

type PresentRate = Pick<RateRow, 'currency' | 'rate' | 'hour' | 'day'> & Pick<Rates, 'at' | 'baseCurrency'>

/** The history up to the present rate and with the movement that the table of rates shows, so that both say the same. */
export function withPresent(history: RateHistory, now: PresentRate | null): RateHistory {
  const last = history.points.at(-1)
  const isOfThisPair = now?.baseCurrency === history.baseCurrency && now.currency === history.currency
  if (!isOfThisPair || !last || Date.parse(now.at) <= last.toMs) return history
  const { rate, hour, day } = now
  const atMs = Date.parse(now.at)
  const { low, high, range } = history
  return {
    ...history,
    points: [
      ...history.points,
      { fromMs: atMs, toMs: atMs, open: rate, low: rate, high: rate, close: rate, samples: 1 },
    ],
    toMs: Math.max(history.toMs, atMs),
    low: isMore(rate, low) ? low : rate,
    high: isLess(rate, high) ? high : rate,
    movement: (range === '1h' ? hour : range === '24h' ? day : null) ?? history.movement,
  }
}

const tickFormats: Record<RateRange, TimeFormat> = { '1h': 'time', '24h': 'time', '7d': 'short', '30d': 'date' }
const ticks = [0, 0.25, 0.5, 0.75, 1]

function HistoryChart({ history }: { history: RateHistory }) {
  const zone = usePageZone()
  // By its first sample: the newest point gets more of them while it is looked at.
  const [chosenFromMs, setChosenFromMs] = useState<number | null>(null)
  const { points, gaps, fromMs, low, high, baseCurrency, currency, range, movement } = history
  const drawn = chartPoints(history)
  const span = sampledSpan(history)
  const spanMs = span.toMs - span.fromMs
  const tickFormat = spanMs < shortSpanMs ? 'time-seconds' : spanMs <= dayMs ? 'time' : tickFormats[range]
  const found = points.findIndex((one) => one.fromMs === chosenFromMs)
  const chosen = found === -1 ? null : found
  const point = points[chosen ?? points.length - 1]

  function describe(index: number): string {
    const at = points[index]
    if (!at) return 'no samples'
    const time = formatTime(at.toMs, zone, 'exact')
    return `${time} ${zone.label}: ${at.close} ${currency}, lowest ${at.low}, highest ${at.high}, ${at.samples} samples`
  }

  return (
    <figure className="grid min-w-0 gap-2">
      <figcaption className="flex min-h-10 flex-wrap sm:min-h-5 items-baseline gap-x-4 gap-y-0.5 text-xs text-soft">
        {chosen !== null && point ? (
          <Reading point={point} currency={currency} />
        ) : (
          <span>
            <MovementText movement={movement} />{' '}
            {movement && Date.parse(movement.against.at) > fromMs + startSlack(history) ? (
              <>
                since <Time instant={movement.against.at} format={tickFormats[range]} />, the first sample of{' '}
                {rangeLabels[range].long}
              </>
            ) : (
              `in ${rangeLabels[range].long}`
            )}
          </span>
        )}
      </figcaption>
      <LineChart
        points={drawn}
        gaps={gaps.filter((gap) => gap.fromMs >= span.fromMs && gap.toMs <= span.toMs)}
        span={span}
        label={`${baseCurrency} in ${currency} over ${rangeLabels[range].long}`}
        describe={describe}
        chosen={chosen}
        onChoose={(index) => setChosenFromMs(index === null ? null : (points[index]?.fromMs ?? null))}
        highLabel={high !== null && <RateText rate={high} />}
        lowLabel={low !== null && <RateText rate={low} />}
        timeLabels={ticks.map((share) => (
          <Time key={share} instant={span.fromMs + share * spanMs} format={tickFormat} />
        ))}
      />
    </figure>
  )
}

/** Below this, minutes alone do not distinguish the marks of the axis. */
const shortSpanMs = 10 * minuteMs

/** The time that the samples cover; the rest is not drawn. */
function sampledSpan({ points, toMs }: RateHistory): { fromMs: number; toMs: number } {
  const fromMs = points.at(0)?.fromMs ?? toMs
  return { fromMs, toMs: Math.max(fromMs + minuteMs, points.at(-1)?.toMs ?? toMs) }
}

/** So close to the range's start, a first sample counts for it. */
function startSlack({ fromMs, toMs }: RateHistory): number {
  return Math.max(3 * minuteMs, (toMs - fromMs) / 100)
}

function Reading({ point, currency }: { point: RateHistory['points'][number]; currency: string }) {
  return (
    <>
      <span className="font-medium text-ink">
        <RateText rate={point.close} /> {currency}
      </span>
      <Time instant={point.toMs} format="exact" isZoneShown />
      {point.samples > 1 && (
        <span>
          <RateText rate={point.low} /> – <RateText rate={point.high} /> in {point.samples} samples
        </span>
      )}
    </>
  )
}

/** Notes on how to read the figure. */
function Notes({ history }: { history: RateHistory }) {
  const { baseCurrency, isSampledAlways } = history
  const gaps = history.gaps.filter(({ fromMs, toMs }) => {
    const span = sampledSpan(history)
    return fromMs >= span.fromMs && toMs <= span.toMs
  })
  return (
    <p className="text-xs text-pretty text-faint">
      {gaps.length > 0 && (
        <>
          <svg aria-hidden="true" viewBox="0 0 12 10" className="mr-1 inline h-2.5 w-3">
            <rect width="12" height="10" rx="2" className="fill-hover stroke-line" />
          </svg>
          No samples.{' '}
        </>
      )}
      {isSampledAlways
        ? `${baseCurrency} is sampled every minute.`
        : `${baseCurrency} is sampled only while this page is open.`}
    </p>
  )
}
