import { clsx } from 'clsx'
import { Amount, type AmountProps } from '#components/ui/amount.tsx'
import type { PayoutRecord, Quote } from '#lib/console/payouts/types.ts'
import { negated } from '#lib/contract/exact-sum.ts'
import { payoutStatusEntry } from './payout-labels.ts'

/**
 * One side of a payout: what the funding account pays (−) or the beneficiary receives (+), with a label for its result.
 * Returned amounts are struck through.
 */
export function PayoutAmount({
  payout,
  side,
  size,
}: {
  payout: PayoutRecord
  side: 'source' | 'destination'
  size?: AmountProps['size'] | 'small'
}) {
  const entry = payoutStatusEntry(payout.status)
  const isSource = side === 'source'
  return (
    <span className={clsx('inline-flex flex-col', size === 'display' ? 'items-start' : 'items-end')}>
      <Amount
        amount={isSource ? payout.sourceAmount && negated(payout.sourceAmount) : payout.destinationAmount}
        currency={isSource ? payout.sourceCurrency : payout.destinationCurrency}
        isSigned
        isVoid={entry.isReturned}
        tone={isSource ? 'neutral' : entry.destinationTone}
        className={size === 'small' ? 'text-2xs' : undefined}
        size={size === 'small' ? undefined : size}
      />
      <span className="text-2xs/4 text-faint">{isSource ? entry.sourceNote : entry.destinationNote}</span>
    </span>
  )
}

/** Both amounts of a quote: what is sent, and what arrives. */
export function QuoteAmounts({ quote }: { quote: Quote }) {
  return (
    <>
      <Amount amount={quote.sourceAmount} currency={quote.sourceCurrency} /> →{' '}
      <Amount amount={quote.destinationAmount} currency={quote.destinationCurrency} />
    </>
  )
}
