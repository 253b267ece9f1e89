import { clsx } from 'clsx'
import { directedAmount, formatAmount } from '#lib/shared/currency.ts'
import { isMissing, NotProvided } from './not-provided.tsx'
import { type Tone, toneText } from './tone.ts'

export type AmountProps = {
  /** Decimal text or a wire number; null, undefined and values that are not numbers are shown as not provided. */
  amount: string | number | null | undefined
  currency: string | null | undefined
  /**
   * The direction of a card account's entry: DEBIT adds to the balance (+), CREDIT takes from it (−). Sign and colour carry
   * it; a direction that is unknown or null gets no sign, and is written behind the amount. Undefined for an amount without one.
   */
  entryType?: string | null | undefined
  /** Shows a plus on a positive amount too. */
  isSigned?: boolean
  isCurrencyShown?: boolean
  /** Without effect on the balance: struck through, and without a tone. */
  isVoid?: boolean
  tone?: Tone
  size?: 'base' | 'large' | 'display'
  className?: string
}

const sizes = { base: 'font-medium', large: 'text-md font-medium', display: 'text-2xl font-semibold tracking-tight' }
const currencySizes = { base: 'text-2xs', large: 'text-2xs', display: 'text-xs' }

/** An amount with its currency: tabular figures, a true minus, the currency small behind. */
export function Amount({
  amount,
  currency,
  entryType,
  isSigned = false,
  isCurrencyShown = true,
  isVoid = false,
  tone,
  size = 'base',
  className,
}: AmountProps) {
  if (isMissing(amount) || !Number.isFinite(Number(amount))) return <NotProvided className={className} />
  const shown = isVoid ? 'neutral' : (tone ?? (entryType === 'DEBIT' ? 'good' : 'neutral'))
  return (
    <span
      className={clsx(
        'inline-flex items-baseline justify-end gap-1 whitespace-nowrap',
        isVoid && 'line-through decoration-faint',
        className,
      )}
    >
      <span className={clsx(sizes[size], toneText[shown])}>
        {formatAmount(directedAmount(amount, entryType), currency || null, {
          signed: isSigned || entryType === 'DEBIT',
        })}
      </span>
      {isCurrencyShown && (
        <span className={clsx('text-faint', currencySizes[size])}>{currency || <NotProvided what="Currency" />}</span>
      )}
      {entryType !== undefined && entryType !== 'DEBIT' && entryType !== 'CREDIT' && (
        <span className="text-2xs text-faint">{entryType || <NotProvided what="Direction" />}</span>
      )}
    </span>
  )
}

type Figure = number | string | null | undefined

/** An amount as text within a sentence, without its currency: `1,234.50`, or "not provided". */
export function figureText(amount: Figure, currency: string | null | undefined): string {
  return isMissing(amount) ? 'not provided' : formatAmount(amount, currency || null)
}

/** An amount with its currency as text within a sentence: `1,234.50 HKD`, or "not provided". */
export function amountText(amount: Figure, currency: string | null | undefined): string {
  if (isMissing(amount)) return 'not provided'
  return `${figureText(amount, currency)} ${currency || '(currency not provided)'}`
}
