import { ArrowRight } from 'lucide-react'
import { Amount } from '#components/ui/amount.tsx'
import type { CardAccount } from '#lib/contract/records.ts'
import { compareAmounts } from '#lib/shared/exact-sum.ts'

/** The limit before and as it was read back, and what is available by it. `after` is `before` until it was read again. */
export function LimitChange({ before, after }: { before: CardAccount; after: CardAccount }) {
  if (after.limit === null) return <p className="mt-1">The service did not provide the limit when it was read back.</p>
  if (before.limit !== null && compareAmounts(before.limit, after.limit) === 0) {
    return <p className="mt-1">The account could not be read back; its page shows the limit.</p>
  }
  return (
    <dl className="mt-2 grid gap-0.5">
      <Change label="Limit" before={before.limit} after={after.limit} currency={after.currency} />
      <Change label="Available" before={before.available} after={after.available} currency={after.currency} />
    </dl>
  )
}

function Change({
  label,
  before,
  after,
  currency,
}: {
  label: string
  before: number | null
  after: number | null
  currency: string | null
}) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2">
      <dt>{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2">
        <Amount amount={before} currency={currency} isCurrencyShown={false} />
        <ArrowRight aria-hidden="true" className="size-3.5 self-center" />
        <span className="sr-only">is now</span>
        <strong>
          <Amount amount={after} currency={currency} />
        </strong>
      </dd>
    </div>
  )
}
