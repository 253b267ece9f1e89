'use client'

import { withoutThousands } from '#lib/contract/amount-entry.ts'
import { FilterText } from './filter-text.tsx'

/** An end of the range as the filter of its name: its value is an amount without separators of thousands, such as `1200.50`. */
type End = Pick<Parameters<typeof FilterText>[0], 'value' | 'problem' | 'onChange'>

/** Two filters for a range of amounts. A lowest amount above the highest one matches nothing and is refused. */
export function FilterAmountRange({ from, to }: { from: End; to: End }) {
  return (
    <>
      <FilterText
        label="From"
        placeholder="amount"
        {...from}
        normalize={withoutThousands}
        problem={(typed) =>
          from.problem?.(typed) ??
          (isAbove(typed, to.value) ? `Enter at most ${to.value}, the “To” amount.` : undefined)
        }
      />
      <FilterText
        label="To"
        placeholder="amount"
        {...to}
        normalize={withoutThousands}
        problem={(typed) =>
          to.problem?.(typed) ??
          (isAbove(from.value, typed) ? `Enter at least ${from.value}, the “From” amount.` : undefined)
        }
      />
    </>
  )
}

function isAbove(amount: string | null, other: string | null): boolean {
  return amount !== null && other !== null && Number(amount) > Number(other)
}
