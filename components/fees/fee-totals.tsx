import { AsOf } from '#components/environment/as-of.tsx'
import { readFailure } from '#components/environment/read-failure.ts'
import { TransactionStatusBadge } from '#components/transactions/transaction-status-badge.tsx'
import { Amount, type AmountProps } from '#components/ui/amount.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import type { CurrencyFees, FeeTotals as Totals } from '#lib/console/fees/list.ts'
import { feeCount } from './fee-labels.ts'

/** What all matching fees come to, on every page, per currency and status. */
export function FeeTotals({ totals, error }: { totals: Totals | undefined; error: Error | null }) {
  if (!totals && error) {
    return (
      <Callout tone="warn" title="The totals could not be read.">
        {readFailure(error, 'They')?.detail} They come back by themselves.
      </Callout>
    )
  }
  if (!totals) {
    return (
      <>
        <Loading what="the totals" />
        <Skeleton className="h-32 w-full rounded-panel" />
      </>
    )
  }
  const { currencies, isCut, limit, freshness } = totals
  if (currencies.length === 0) return null
  return (
    <section aria-label="Totals" className="grid gap-2">
      <ul className="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(17rem,1fr))]">
        {currencies.map((currency) => (
          <CurrencyTile key={currency.currency ?? ''} totals={currency} />
        ))}
      </ul>
      <p className="text-xs text-faint">
        {isCut
          ? `Totals for only the newest ${feeCount(limit)}, `
          : 'Totals of everything that the filter matches, on every page, '}
        <AsOf freshness={freshness} />.
      </p>
      <ExcludedNote read={totals} />
    </section>
  )
}

function CurrencyTile({ totals }: { totals: CurrencyFees }) {
  const { currency, counted, statuses, excluded } = totals
  return (
    <li className="min-w-0 rounded-panel border bg-surface px-4 py-3">
      <div className="flex items-baseline justify-between gap-2 text-xs text-soft">
        <span>Net of waived</span>
        <span className="text-faint">{feeCount(counted.fees)}</span>
      </div>
      <div className="mt-0.5">
        <SignedAmount amount={counted.amount} currency={currency} size="large" />
      </div>
      <dl className="mt-2 grid gap-1 border-t pt-2">
        {statuses.map(({ status, fees, amount }) => (
          <div key={status ?? ''} className="flex items-baseline justify-between gap-2">
            <dt className="flex min-w-0 items-baseline gap-1.5">
              <TransactionStatusBadge status={status} />
              <span className="text-xs text-faint">{feeCount(fees)}</span>
            </dt>
            <dd className="shrink-0">
              <SignedAmount
                amount={amount}
                currency={currency}
                {...(status === 'void' ? { className: 'line-through decoration-faint' } : {})}
              />
            </dd>
          </div>
        ))}
      </dl>
      {excluded > 0 && (
        <p className="mt-1 text-xs text-warn">
          {feeCount(excluded)} came without an amount that can be read and {excluded === 1 ? 'is' : 'are'} not in the
          sums.
        </p>
      )}
    </li>
  )
}

function SignedAmount({ amount, ...rest }: Omit<AmountProps, 'amount'> & { amount: string | null }) {
  const entryType = amount === null || amount === '0' ? undefined : amount.startsWith('-') ? 'CREDIT' : 'DEBIT'
  return <Amount amount={amount} entryType={entryType} isLabelShown {...rest} />
}
