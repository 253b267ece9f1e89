import { clsx } from 'clsx'
import { formatAmount } from '#lib/shared/currency.ts'
import { type Tone, toneText } from './tone.ts'

export type AmountProps = {
  /** Decimal text or a wire number; null and undefined are shown as a dash. */
  amount: string | number | null | undefined
  currency: string
  /** The direction of a card account's entry: DEBIT adds to the balance (+), CREDIT takes from it (−). */
  entryType?: string | null | undefined
  /** Writes the direction's word behind the amount. */
  isWordShown?: boolean
  /** Shows a plus on a positive amount too. */
  isSigned?: boolean
  isCurrencyShown?: boolean
  tone?: Tone
  size?: 'base' | 'large' | 'display'
  className?: string
}

const sizes = { base: 'font-medium', large: 'text-md font-medium', display: 'text-2xl font-semibold tracking-tight' }
const currencySizes = { base: 'text-2xs', large: 'text-2xs', display: 'text-xs' }

function directed(amount: string | number, entryType: string | null | undefined): string {
  const text = String(amount)
  return entryType === 'CREDIT' && !text.startsWith('-') && Number(text) !== 0 ? `-${text}` : text
}

/** An amount with its currency: tabular figures, a true minus, the currency small behind. */
export function Amount({
  amount,
  currency,
  entryType,
  isWordShown = false,
  isSigned = false,
  isCurrencyShown = true,
  tone,
  size = 'base',
  className,
}: AmountProps) {
  if (amount === null || amount === undefined || amount === '') {
    return (
      <span className={clsx('text-faint', className)}>
        <span aria-hidden="true">–</span>
        <span className="sr-only">none</span>
      </span>
    )
  }
  const shown = tone ?? (entryType === 'DEBIT' ? 'good' : 'neutral')
  return (
    <span className={clsx('inline-flex items-baseline justify-end gap-1 whitespace-nowrap', className)}>
      <span className={clsx(sizes[size], toneText[shown])}>
        {formatAmount(directed(amount, entryType), currency, { signed: isSigned || entryType === 'DEBIT' })}
      </span>
      {isCurrencyShown && <span className={clsx('text-faint', currencySizes[size])}>{currency}</span>}
      {isWordShown && entryType && <span className="w-9 text-left text-2xs text-faint">{entryType.toLowerCase()}</span>}
    </span>
  )
}
