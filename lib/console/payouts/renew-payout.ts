import 'server-only'
import { randomUUID } from 'node:crypto'
import type { EndpointInput } from '#lib/client/prepare.ts'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { callService } from '#lib/environments/environments.ts'
import type { Fields } from '#lib/gate/action.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import type { Renewal } from '#lib/operations/spec.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { amount, roundToMinorUnit, toWire } from '#lib/shared/money.ts'
import { secondMs } from '#lib/shared/time.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { findQuoteProblem } from './check-quote.ts'
import type { QuoteFacts } from './types.ts'

type QuoteBody = EndpointInput<'quotePayout'>['body']

/** The approved terms of a payout besides its request: the quote that may replace its own, and the highest cost. */
export type PayoutTerms = {
  quote: Omit<QuoteBody, 'idempotencyKey'>
  sourceAmount: string
  maximumSourceAmount: string
  sourceCurrency: string
}

type Submission = Omit<QuoteFacts, 'id' | 'expiresAt' | 'rate'>

/**
 * The terms of a payout: the beneficiary gets the submitted amount, and the funding account is debited `maximumSourceAmount`
 * at most.
 */
export function toPayoutTerms(
  submission: Submission & Pick<QuoteBody, 'method' | 'destinationCountry' | 'destinationCurrency' | 'sourceCurrency'>,
  parties: Pick<QuoteBody, 'destination'> & Partial<Pick<QuoteBody, 'source'>>,
) {
  const { method, accountId, sourceAmount, sourceCurrency, destinationCountry, destinationAmount } = submission
  const { destinationCurrency } = submission
  return (tolerancePercent: string): PayoutTerms => {
    const factor = amount('1').plus(amount(tolerancePercent).dividedBy(100))
    return {
      quote: {
        method,
        accountId,
        sourceCurrency,
        destinationCountry,
        destinationCurrency,
        destinationAmount: toWire(amount(destinationAmount)),
        ...parties,
      },
      sourceAmount,
      maximumSourceAmount: roundToMinorUnit(amount(sourceAmount).times(factor), sourceCurrency).toFixed(),
      sourceCurrency,
    }
  }
}

/** A quote has to live at least this long to be executed. */
const marginMs = 5 * secondMs

/** Whether the payout's quote has expired by the service's clock, or is about to: an approved payout gets a new one then. */
export async function needsNewQuote({ environment, expected }: OperationRow): Promise<boolean> {
  const { serviceAt } = await readServiceClock(environment)
  return !(Date.parse(expected?.expiresAt ?? '') - serviceAt.getTime() > marginMs)
}

/** Requests another quote where the payout's own has expired by the service's clock, and compares it with the terms. */
export async function renewPayout(row: OperationRow, approved: Fields): Promise<Renewal> {
  const terms = approved as unknown as PayoutTerms
  const { environment, expected } = row
  if (!(await needsNewQuote(row))) return { kind: 'valid' }
  const body = { ...terms.quote, idempotencyKey: randomUUID() } as QuoteBody
  const { response: quote } = await callService(environment, 'quotePayout', { body })
  const { id, sourceAmount, destinationAmount, expiresAt } = quote
  if (!id || sourceAmount === null || destinationAmount === null || expiresAt === null) {
    throw new AppError('SERVICE_REFUSED', 'The new quote lacks its ID, an amount or its expiry. Nothing was sent.')
  }
  const quoted = { ...quote, sourceAmount, destinationAmount }
  const contradiction = findQuoteProblem(quoted, terms.quote, (text) => `${text} was approved`)
  const problem = contradiction === null ? findExcessCost(terms, sourceAmount) : `${contradiction} Nothing was sent.`
  if (problem) return { kind: 'stopped', message: problem }
  return {
    kind: 'renewed',
    quoteId: id,
    target: { ...toTarget(row), id },
    expected: {
      ...expected,
      submittedSourceAmount: expected?.submittedSourceAmount ?? expected?.sourceAmount ?? '',
      sourceAmount: amount(sourceAmount).toString(),
      expiresAt,
    },
  }
}

/** Sentence that says how much more than approved the new quote costs; null if it costs no more. */
function findExcessCost({ maximumSourceAmount, sourceCurrency }: PayoutTerms, sourceAmount: number): string | null {
  const over = amount(sourceAmount).minus(maximumSourceAmount)
  if (over.lte(0)) return null
  const [now, most, excess] = [sourceAmount, maximumSourceAmount, over.toFixed()].map((value) =>
    moneyText(value, sourceCurrency),
  )
  return `The quote expired. A new one costs ${now}; at most ${most} was approved, so it is ${excess} too much. Nothing was sent.`
}
