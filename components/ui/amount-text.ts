import { formatAmount } from '#lib/shared/currency.ts'
import { isMissing } from './not-provided.tsx'

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
