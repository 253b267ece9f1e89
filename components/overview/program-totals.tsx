import { useEnvironment } from '#components/environment/use-environment.ts'
import { Amount } from '#components/ui/amount.tsx'
import { formatCount } from '#components/ui/count.ts'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ReadResult } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'

/** The program's money: its value in one currency, and what each currency holds, owes and may still spend. */
export function ProgramTotals({ overview }: { overview: ReadResult<'readOverview'> }) {
  const environment = useEnvironment()
  const { totals, aggregateValue } = overview
  return (
    <Panel isFlush>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2 border-b px-4 py-4">
        <div>
          <h2 className="text-soft">All balances, valued in {aggregateValue?.currency ?? 'one currency'}</h2>
          {aggregateValue ? (
            <Amount amount={aggregateValue.value} currency={aggregateValue.currency} size="display" className="mt-1" />
          ) : (
            <p className="mt-1 text-soft">Not provided</p>
          )}
        </div>
        {aggregateValue && (
          <p className="text-xs text-faint">
            At the rates of <Time instant={aggregateValue.asOf} format="time-seconds" isZoneShown />
            {aggregateValue.excluded > 0 && (
              <span className="block text-warn">
                Excludes {formatCount(aggregateValue.excluded, 'balance')} without a value
              </span>
            )}
          </p>
        )}
      </div>
      {totals.length === 0 && overview.totalsExcluded === 0 ? (
        <p className="px-4 py-6 text-soft">
          {overview.coverage.isComplete ? 'No card accounts yet.' : 'No card account was read so far.'}
        </p>
      ) : (
        <ul className="divide-y">
          {totals.map((total) => (
            <li
              key={total.currency}
              className="grid grid-cols-2 gap-x-6 gap-y-3 px-4 py-3.5 md:grid-cols-4 xl:grid-cols-[7rem_repeat(4,minmax(0,1fr))]"
            >
              <div className="flex flex-wrap items-baseline gap-x-2 max-md:col-span-2 md:max-xl:col-span-4 xl:block">
                <Link
                  href={routes.cardAccounts(environment, { currency: total.currency })}
                  className="text-md font-semibold hover:underline hover:decoration-faint hover:underline-offset-2"
                >
                  {total.currency}
                </Link>
                <div className="text-xs text-faint">{formatCount(total.accounts, 'account')}</div>
                {total.excluded > 0 && (
                  <div className="text-2xs text-warn">
                    {formatCount(total.excluded, 'account lacks a figure and is', 'accounts lack a figure and are')} not
                    in its sum
                  </div>
                )}
              </div>
              <Figure label="Balance" amount={total.balance} currency={total.currency} />
              <Figure label="Outstanding" amount={total.outstanding} currency={total.currency} />
              <Figure label="Available" amount={total.available} currency={total.currency} />
              <Figure label="Disputed" amount={total.disputeAmount} currency={total.currency} isWarning />
            </li>
          ))}
        </ul>
      )}
      {overview.totalsExcluded > 0 && (
        <p className="border-t px-4 py-2 text-xs text-warn">
          {formatCount(overview.totalsExcluded, 'account')} without a currency not included
        </p>
      )}
    </Panel>
  )
}

function Figure({
  label,
  amount,
  currency,
  isWarning = false,
}: {
  label: string
  amount: string | null
  currency: string
  isWarning?: boolean
}) {
  return (
    <div className="min-w-0">
      <div className="text-xs text-soft">{label}</div>
      <Amount
        amount={amount}
        currency={currency}
        size="large"
        className="mt-0.5"
        tone={isWarning && amount !== null && Number(amount) !== 0 ? 'warn' : undefined}
      />
    </div>
  )
}
