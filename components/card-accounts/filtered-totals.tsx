import { Amount } from '#components/ui/amount.tsx'
import type { CurrencyTotals } from '#lib/console/desk/shapes.ts'

/** What all matching accounts hold together, on every page, per currency. */
export function FilteredTotals({
  totals,
  totalsExcluded,
  isFiltered,
}: {
  totals: readonly CurrencyTotals[]
  /** Accounts that are in no total, because their currency was not provided. */
  totalsExcluded: number
  isFiltered: boolean
}) {
  if (totals.length === 0 && totalsExcluded === 0) return null
  return (
    <>
      <span className="text-faint">{isFiltered ? 'Filtered totals' : 'Totals'}</span>
      {totals.map(({ currency, balance, outstanding, excluded }) => (
        <span key={currency ?? ''} className="inline-flex flex-wrap items-baseline gap-x-1.5">
          <Amount amount={balance} currency={currency} />
          {outstanding !== '0' && (
            <span className="text-xs text-faint">
              (outstanding{' '}
              <Amount amount={outstanding} currency={currency} isCurrencyShown={false} className="text-xs" />)
            </span>
          )}
          {excluded > 0 && (
            <span className="text-2xs text-warn">{excluded} lack a figure and are excluded from it</span>
          )}
        </span>
      ))}
      {totalsExcluded > 0 && (
        <span className="text-2xs text-warn">
          Excludes {totalsExcluded === 1 ? '1 account' : `${totalsExcluded} accounts`} without a currency
        </span>
      )}
    </>
  )
}
