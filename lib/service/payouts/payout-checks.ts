import { minorUnitDigits } from '#lib/shared/currency.ts'
import type { Amount } from '#lib/shared/money.ts'
import {
  countryIssues,
  decimalsOf,
  destinationAmountIssues,
  destinationIssues,
  minimumDestinationAmount,
  pairIssues,
  type PayoutFacts,
  type RuleIssue,
} from '#lib/contract/payout-rules.ts'
import { isRateCurrency, rateAt } from '../rates.ts'
import { ServiceRefusal } from '../refusal.ts'
import { findBank } from './banks.ts'
import { quoteAmounts } from './quote-amounts.ts'

/** Everything the rules can look at: the contract's facts, and what takes a rate or a bank list to judge. */
export type PayoutRequest = PayoutFacts & {
  sourceAmount?: number | undefined
  sourceCurrency?: string | undefined
  destination?: (PayoutFacts['destination'] & { bankCode?: string | undefined }) | undefined
}

/** Amounts stay below this on the wire, as in requests. */
const amountLimit = 1e13

/** The rules of country, currencies and amounts, which a quote has to meet. */
export function quoteIssues(now: Date, request: PayoutRequest): RuleIssue[] {
  const pair = pairIssues(request)
  return [
    ...pair,
    ...sourceCurrencyIssues(request),
    ...sourceDecimalIssues(request),
    ...destinationAmountIssues(request),
    ...(pair.length === 0 ? convertedIssues(now, request) : []),
    ...countryIssues(request),
  ]
}

/** The rules of who receives, which an execution has to meet. */
export function beneficiaryIssues(request: PayoutRequest): RuleIssue[] {
  return [...destinationIssues(request), ...bankIssues(request)]
}

function sourceCurrencyIssues({ sourceCurrency, sourceAmount }: PayoutRequest): RuleIssue[] {
  if (sourceCurrency === undefined) {
    return sourceAmount === undefined ? [] : [{ path: 'sourceCurrency', message: 'is required with sourceAmount' }]
  }
  return isRateCurrency(sourceCurrency)
    ? []
    : [{ path: 'sourceCurrency', message: `there are no rates of ${sourceCurrency}` }]
}

function sourceDecimalIssues({ sourceCurrency, sourceAmount }: PayoutRequest): RuleIssue[] {
  if (sourceCurrency === undefined || sourceAmount === undefined) return []
  const decimals = minorUnitDigits(sourceCurrency)
  if (decimalsOf(sourceAmount) <= decimals) return []
  return [{ path: 'sourceAmount', message: `must have at most ${decimals} decimals in ${sourceCurrency}` }]
}

/** What a given amount comes to on the other side. */
function convertedIssues(now: Date, request: PayoutRequest): RuleIssue[] {
  const { sourceCurrency, destinationCurrency, destinationCountry } = request
  if (sourceCurrency === undefined || destinationCurrency === undefined || !isRateCurrency(sourceCurrency)) return []
  const rate = rateAt(now, sourceCurrency, destinationCurrency)
  const given = { rate, sourceCurrency, destinationCurrency }
  const issues: RuleIssue[] = []
  if (request.sourceAmount !== undefined) {
    const { destinationAmount } = quoteAmounts({ ...given, sourceAmount: request.sourceAmount })
    const minimum = minimumDestinationAmount(destinationCountry ?? '', destinationCurrency)
    if (minimum !== null && destinationAmount.lessThan(minimum)) {
      issues.push({
        path: 'sourceAmount',
        message: `must produce at least ${minimum} ${destinationCurrency}, and produces ${destinationAmount}`,
      })
    } else issues.push(...sizeIssues('sourceAmount', destinationAmount, destinationCurrency))
  }
  if (request.destinationAmount !== undefined) {
    const { sourceAmount } = quoteAmounts({ ...given, destinationAmount: request.destinationAmount })
    issues.push(...sizeIssues('destinationAmount', sourceAmount, sourceCurrency))
  }
  return issues
}

function sizeIssues(path: string, converted: Amount, currency: string): RuleIssue[] {
  if (converted.isZero()) return [{ path, message: `is worth less than the smallest amount of ${currency}` }]
  if (converted.lessThan(amountLimit)) return []
  return [{ path, message: `is worth more than an amount in ${currency} can be` }]
}

function bankIssues({ method, destination, destinationCountry }: PayoutRequest): RuleIssue[] {
  const code = destination?.bankCode
  if (method !== 'BANK_TRANSFER' || code === undefined || destinationCountry === undefined) return []
  if (findBank(destinationCountry, code)) return []
  return [{ path: 'destination.bankCode', message: `must be a code of the banks of ${destinationCountry}` }]
}

/** Refuses when a rule is broken, naming every one; the code is the card number's own where that is one of them. */
export function refuseBrokenRules(issues: readonly RuleIssue[]): void {
  if (issues.length === 0) return
  const code = issues.find((issue) => issue.code)?.code ?? 'INVALID_PARAMETERS'
  throw new ServiceRefusal(code, issues.map(({ path, message }) => `${path}: ${message}`).join('; '))
}
