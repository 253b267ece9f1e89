import { Amount } from '#components/ui/amount.tsx'
import type { CurrencyTotals } from '#lib/console/card-accounts.ts'

/** What all matching accounts hold together, on every page, per currency. */
export function FilteredTotals({ totals, isFiltered }: { totals: readonly CurrencyTotals[]; isFiltered: boolean }) {
  if (totals.length === 0) return null
  return (
    <>
      <span className="text-faint">{isFiltered ? 'Filtered totals' : 'Totals'}</span>
      {totals.map(({ currency, balance, outstanding }) => (
        <span key={currency ?? ''} className="inline-flex flex-wrap items-baseline gap-x-1.5">
          <Amount amount={balance} currency={currency} />
          {outstanding !== '0' && (
            <span className="text-xs text-faint">
              (outstanding{' '}
              <Amount amount={outstanding} currency={currency} isCurrencyShown={false} className="text-xs" />)
            </span>
          )}
        </span>
      ))}
    </>
  )
}
