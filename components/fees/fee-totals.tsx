import type { ReactNode } from 'react'
import { transactionStatusEntry } from '#components/transactions/transaction-labels.ts'
import { Amount, type AmountProps } from '#components/ui/amount.tsx'
import { formatCount } from '#components/ui/count.ts'
import type { CurrencyFees, FeeTotals as Totals } from '#lib/console/fees/types.ts'

/** Totals of all matching fees, on every page, per currency and status. */
export function FeeTotals({ totals: { currencies } }: { totals: Totals }) {
  if (currencies.length === 0) return null
  return (
    <section aria-label="Totals" className="overflow-clip rounded-panel border bg-surface">
      <ul className="divide-y">
        {currencies.map((currency) => (
          <CurrencyRow key={currency.currency ?? ''} totals={currency} />
        ))}
      </ul>
    </section>
  )
}

/** One currency: what its fees come to, and that of each status, beside each other. */
function CurrencyRow({ totals }: { totals: CurrencyFees }) {
  const { currency, counted, statuses, excluded } = totals
  return (
    <li className="px-4 py-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 md:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
        <Figure label="Net of waived" fees={counted.fees}>
          <SignedAmount amount={counted.amount} currency={currency} size="large" />
        </Figure>
        {statuses.map(({ status, fees, amount }) => (
          <Figure key={status ?? ''} label={transactionStatusEntry(status).label} fees={fees}>
            <SignedAmount amount={amount} currency={currency} isVoid={status === 'void'} />
          </Figure>
        ))}
      </dl>
      {excluded > 0 && (
        <p className="mt-1 text-xs text-warn">Excludes {formatCount(excluded, 'fee')} without a readable amount</p>
      )}
    </li>
  )
}

function Figure({ label, fees, children }: { label: string; fees: number; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs whitespace-nowrap text-soft">
        {label} <span className="text-faint">· {formatCount(fees, 'fee')}</span>
      </dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

function SignedAmount({ amount, ...rest }: Omit<AmountProps, 'amount'> & { amount: string | null }) {
  if (amount === null) return <span className="text-faint">Sum unknown</span>
  const entryType = amount === '0' ? undefined : amount.startsWith('-') ? 'CREDIT' : 'DEBIT'
  return <Amount amount={amount} entryType={entryType} {...rest} />
}
