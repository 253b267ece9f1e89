import type { ReactNode } from 'react'
import { Amount, type AmountProps } from '#components/ui/amount.tsx'
import type { CodeEntry } from '#components/ui/code-entry.ts'
import { formatCount } from '#components/ui/count.ts'
import type { CurrencySums, StatusTotals } from '#lib/index/types.ts'

type Words = {
  /** One record, and several where that is not the same with an s: "entry", "entries". */
  noun: readonly [one: string, several?: string]
  /** What pending and posted records together are called. */
  net: string
  toEntry: (status: string | null) => Pick<CodeEntry, 'label'>
}

/** Totals of everything that matches, on every page, per currency and status. */
export function StatusTotalsPanel({ totals: { currencies }, ...words }: { totals: StatusTotals } & Words) {
  if (currencies.length === 0) return null
  return (
    <section aria-label="Totals" className="overflow-clip rounded-panel border bg-surface">
      <ul className="divide-y">
        {currencies.map((currency) => (
          <CurrencyRow key={currency.currency ?? ''} totals={currency} {...words} />
        ))}
      </ul>
    </section>
  )
}

/** One currency: what its records come to, and that of each status, beside each other. */
function CurrencyRow({ totals, noun, net, toEntry }: { totals: CurrencySums } & Words) {
  const { currency, counted, statuses, excluded } = totals
  return (
    <li className="px-4 py-3">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 md:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
        <Figure label={net} count={formatCount(counted.records, ...noun)}>
          <SignedAmount amount={counted.amount} currency={currency} size="large" />
        </Figure>
        {statuses.map(({ status, records, amount }) => (
          <Figure key={status ?? ''} label={toEntry(status).label} count={formatCount(records, ...noun)}>
            <SignedAmount amount={amount} currency={currency} isVoid={status === 'void'} />
          </Figure>
        ))}
      </dl>
      {excluded > 0 && (
        <p className="mt-1 text-xs text-warn">Excludes {formatCount(excluded, ...noun)} without a readable amount</p>
      )}
    </li>
  )
}

function Figure({ label, count, children }: { label: string; count: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs whitespace-nowrap text-soft">
        {label} <span className="text-faint">· {count}</span>
      </dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

function SignedAmount({ amount, ...rest }: Omit<AmountProps, 'amount'> & { amount: string | null }) {
  if (amount === null) return <span className="text-faint">Sum unknown</span>
  const isZero = amount === '0'
  return (
    <Amount amount={amount} isSigned={!isZero} tone={isZero || amount.startsWith('-') ? undefined : 'good'} {...rest} />
  )
}
