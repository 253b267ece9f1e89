import { Amount } from '#components/ui/amount.tsx'
import { count } from '#components/ui/count.ts'
import { type Tone, toneFill } from '#components/ui/tone.ts'
import type { BulkItemState, BulkJob, BulkMoney } from '#lib/operations/bulk/types.ts'
import { formatHeadline, itemStateTable } from './bulk-labels.ts'

/** A bar of the settled rows by result; the rest of it is the remaining rows. */
const parts: readonly { state: BulkItemState; tone: Tone }[] = [
  { state: 'done', tone: 'good' },
  { state: 'refused', tone: 'bad' },
  { state: 'unknown', tone: 'warn' },
  { state: 'cancelled', tone: 'neutral' },
]

/** How far a job is, as a bar: drawn in SVG, since a style attribute is not allowed in served HTML. */
export function BulkProgress({ job, isThin = false }: { job: BulkJob; isThin?: boolean }) {
  const { counts, total } = job
  const settled = parts.map(({ state }) => counts[state])
  const sum = (rows: readonly number[]) => rows.reduce((one, other) => one + other, 0)
  const percent = (rows: number) => `${((rows / total) * 100).toFixed(3)}%`
  return (
    <div className={`w-full overflow-hidden rounded-full ${isThin ? 'h-1' : 'h-2'}`}>
      <progress className="sr-only" aria-label={`Progress of ${job.title}`} value={sum(settled)} max={total}>
        {formatHeadline(job)}
      </progress>
      <svg aria-hidden="true" width="100%" height="100%">
        <rect width="100%" height="100%" className="fill-line" />
        {parts.map(({ state, tone }, index) => (
          <rect
            key={state}
            x={percent(sum(settled.slice(0, index)))}
            width={percent(counts[state])}
            height="100%"
            className={toneFill[tone]}
          />
        ))}
      </svg>
    </div>
  )
}

/** How much money came back with the rows that are done: "Waived so far 300.00 of 7,694.00 HKD". */
export function BulkMoneyLine({ money, isOver }: { money: readonly BulkMoney[]; isOver: boolean }) {
  if (money.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-soft">
      {money.map(({ currency, done, whole, excluded }) => (
        <span key={currency}>
          {isOver ? 'Waived' : 'Waived so far'} <Amount amount={done} currency={currency} isCurrencyShown={false} /> of{' '}
          <Amount amount={whole} currency={currency} />
          {excluded > 0 && <span className="text-warn"> (excludes {excluded} without an amount or direction)</span>}
        </span>
      ))}
    </p>
  )
}

/** The count of each result, with its label. */
export function BulkCounts({ job }: { job: BulkJob }) {
  const { counts } = job
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1.5">
      {(Object.keys(itemStateTable) as BulkItemState[])
        .filter((state) => state === 'done' || counts[state] > 0)
        .map((state) => (
          <div key={state} className="flex items-center gap-1.5">
            <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2 shrink-0">
              <circle cx="4" cy="4" r="4" className={toneFill[itemStateTable[state].tone]} />
            </svg>
            <dt className="text-soft">{itemStateTable[state].label}</dt>
            <dd className="font-medium tabular-nums">{count.format(counts[state])}</dd>
          </div>
        ))}
    </dl>
  )
}
