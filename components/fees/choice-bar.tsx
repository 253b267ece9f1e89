import { HandCoins } from 'lucide-react'
import { Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import type { useChosenFees } from './chosen-fees.ts'
import { broughtBack } from './chosen-fees.ts'
import { allLabels, feeCount, type Waivable, waiveLabels } from './fee-labels.ts'

/** What is chosen, what waiving it would bring back, and what can be done with it. It stays in sight below the list. */
export function ChoiceBar({
  chosen,
  waivable,
  onWaive,
}: {
  chosen: ReturnType<typeof useChosenFees>
  /** How many of what the filter matches can be waived. */
  waivable: Waivable
  onWaive: () => void
}) {
  const isAll = chosen.kind === 'filter'
  const isAny = isAll || chosen.rows.size > 0
  const all = allLabels(waivable)
  return (
    <>
      <output className="sr-only">{isAny ? (isAll ? `${all} selected` : `${chosen.rows.size} selected`) : ''}</output>
      {isAny && (
        <section
          aria-label="Selected fees"
          className="sticky bottom-3 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border bg-raised px-4 py-2.5 shadow-raised"
        >
          <span className="font-medium">{isAll ? all : `${feeCount(chosen.rows.size)} selected`}</span>
          {isAll ? (
            <span className="text-xs text-soft">Check each one in the preview.</span>
          ) : (
            <span className="flex flex-wrap items-baseline gap-x-3 text-soft">
              returns
              {broughtBack(chosen.rows.values()).map(({ currency, amount, missing }) => (
                <span key={currency ?? ''}>
                  <Amount amount={amount} currency={currency} isSigned tone="good" />
                  {amount !== null && missing > 0 && (
                    <span className="text-xs text-warn"> excludes {feeCount(missing)} without an amount</span>
                  )}
                </span>
              ))}
            </span>
          )}
          <span className="ml-auto flex flex-wrap items-center gap-2">
            {!isAll && waivable !== null && waivable.fees > 0 && (
              <Button variant="quiet" onClick={chosen.chooseAll}>
                {all}
              </Button>
            )}
            <Button variant="quiet" onClick={chosen.clear}>
              Clear
            </Button>
            <Button variant="primary" icon={<HandCoins aria-hidden="true" />} aria-haspopup="dialog" onClick={onWaive}>
              {waiveLabels(isAll ? waivable : { fees: chosen.rows.size, newest: null })}
            </Button>
          </span>
        </section>
      )}
    </>
  )
}
