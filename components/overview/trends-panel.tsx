import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Amount, amountText } from '#components/ui/amount.tsx'
import { count } from '#components/ui/count.ts'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Link } from '#components/ui/link.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Stat } from '#components/ui/stat.tsx'
import type { PageZone } from '#components/ui/time-format.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'

type Trends = ReadResult<'readTrends'>

type Row = {
  label: string
  href: string
  values: readonly (number | string)[]
  /** The currency of amounts; null for counts. */
  currency: string | null
  note: string | null
}

/** Today's declines, spend, payouts and events, each with its last 30 days as bars and, behind them, as one table. */
export function TrendsPanel() {
  const zone = usePageZone()
  const trends = useRead('readTrends', { timeZone: zone.name })
  return (
    <WhenRead query={trends} what="The figures of today" blocks={['h-56 max-xl:h-80 max-sm:h-[34rem]']}>
      {(read) => <TodayPanel trends={read} zone={zone} />}
    </WhenRead>
  )
}

function TodayPanel({ trends, zone }: { trends: Trends; zone: PageZone }) {
  const environment = useEnvironment()
  const { days, currency, declines, spend, sent, events, coverage } = trends
  const today = days.at(-1) ?? ''
  const unread = unreadText(coverage)
  const rows: Row[] = [
    {
      label: 'Declines today',
      href: routes.transactions(environment, { status: 'declined', dateRangeFrom: today }),
      values: declines,
      currency: null,
      note: unread,
    },
    {
      label: 'Spend today',
      href: routes.transactions(environment, { intent: 'charge', status: ['pending', 'posted'], dateRangeFrom: today }),
      values: spend.values,
      currency,
      note: unread ?? withoutRate(spend.unconverted),
    },
    ...(sent
      ? [
          {
            label: 'Payouts today',
            href: routes.payouts(environment, { dateRangeFrom: today }),
            values: sent.values,
            currency,
            note: sent.isComplete ? withoutRate(sent.unconverted) : 'Only the payouts that were read so far',
          },
        ]
      : []),
    ...(events
      ? [
          {
            label: 'Webhook events sent today',
            href: routes.inbox(environment),
            values: events,
            currency: null,
            note: null,
          },
        ]
      : []),
  ]
  return (
    <Panel
      title="Today"
      note={
        <span className="text-xs">
          Days in {zone.label}, amounts valued in {currency}
        </span>
      }
      isFlush
    >
      <div className="grid grid-cols-2 gap-x-6 gap-y-5 px-4 py-4 max-sm:grid-cols-1 xl:grid-cols-4">
        {rows.map((row) => (
          <Trend key={row.label} row={row} />
        ))}
      </div>
      <div className="border-t px-4 py-2">
        <Disclosure title="30 days as a table">
          <div className="-mx-4 -mb-2 max-h-96 overflow-auto border-t">
            <TrendTable days={days} rows={rows} />
          </div>
        </Disclosure>
      </div>
    </Panel>
  )
}

/** Which part of the transactions the figures lack; null where they lack none. */
function unreadText({ isComplete, accountsRead, accounts }: Trends['coverage']): string | null {
  if (isComplete) return null
  if (accountsRead === accounts) return 'Newer transactions are still being read'
  return `Complete for ${count.format(accountsRead)} of ${count.format(accounts)} accounts so far`
}

/** What is in no amount: of today, whose figure it stands below, else of the days before. */
function withoutRate(unconverted: readonly number[]): string | null {
  const today = unconverted.at(-1) ?? 0
  if (today > 0) return `Excludes ${count.format(today)} without a rate`
  const before = unconverted.reduce((sum, each) => sum + each, 0)
  return before === 0 ? null : `The days before exclude ${count.format(before)} without a rate`
}

function valueText(value: number | string, currency: string | null): string {
  return currency === null ? count.format(Number(value)) : amountText(value, currency)
}

function Trend({ row: { label, href, values, currency, note } }: { row: Row }) {
  const today = values.at(-1) ?? 0
  return (
    <Stat
      label={
        <Link href={href} className="hover:underline hover:decoration-faint hover:underline-offset-2">
          {label}
        </Link>
      }
      value={
        currency === null ? count.format(Number(today)) : <Amount amount={today} currency={currency} size="large" />
      }
      note={note}
    >
      <Bars values={values.map(Number)} />
    </Stat>
  )
}

const drawing = { width: 240, height: 40, gap: 2 }

/** Only for the eye: the table has the figures. */
function Bars({ values }: { values: readonly number[] }) {
  const most = Math.max(...values, 1)
  const step = drawing.width / values.length
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      preserveAspectRatio="none"
      className="mt-2 block h-10 w-full"
    >
      {values.map((value, at) => {
        const height = Math.max(1, (value / most) * drawing.height)
        return (
          <rect
            key={at}
            x={at * step}
            y={drawing.height - height}
            width={step - drawing.gap}
            height={height}
            className={at === values.length - 1 ? 'fill-accent' : 'fill-edge'}
          />
        )
      })}
    </svg>
  )
}

function TrendTable({ days, rows }: { days: Trends['days']; rows: readonly Row[] }) {
  const names = rows.map(({ label }) => label.replace(/ today$/, ''))
  return (
    <table className="w-full text-right tabular-nums">
      <caption className="sr-only">Declines, spend, payouts and events of the last 30 days</caption>
      <thead>
        <tr className="text-xs text-soft">
          <th scope="col" className="px-4 py-2 text-left font-normal">
            Day
          </th>
          {names.map((name) => (
            <th key={name} scope="col" className="px-4 py-2 font-normal">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days
          .map((day, at) => (
            <tr key={day} className="border-t">
              <th scope="row" className="px-4 py-1.5 text-left font-normal whitespace-nowrap">
                {day}
              </th>
              {rows.map(({ label, values, currency }) => (
                <td key={label} className="px-4 py-1.5 whitespace-nowrap">
                  {valueText(values[at] ?? 0, currency)}
                </td>
              ))}
            </tr>
          ))
          .toReversed()}
      </tbody>
    </table>
  )
}
