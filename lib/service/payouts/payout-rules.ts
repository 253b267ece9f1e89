import { eq } from 'drizzle-orm'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { amountBound } from '#lib/contract/fields.ts'
import {
  countryIssues,
  destinationAmountIssues,
  destinationIssues,
  hasChinese,
  isNothing,
  minimumDestinationAmount,
  nothingIssue,
  pairIssues,
  type PayoutFacts,
  type PayoutMethod,
  type RuleIssue,
} from '#lib/contract/payout-rules.ts'
import type { ExecutePayout, PayoutDestination, PayoutSource } from '#lib/contract/payouts.ts'
import { addressInPinyin } from '#lib/contract/pinyin.ts'
import type { Amount } from '#lib/shared/money.ts'
import { ApiError } from '../api-error.ts'
import type { Rule } from '../handler.ts'
import { isRateCurrency, rateAt } from '../rates.ts'
import { accounts, quotes } from '../tables/payouts.ts'
import { findBank } from './banks.ts'
import type { QuoteRow } from './payout-record.ts'
import { quoteAmounts } from './quote-amounts.ts'

export const validationRule: Rule<'validatePayout'> = ({ body, wrong }, { now }) => validationIssues(now, body, wrong)

/** The account's own currency is checked together with other issues; without any, the handler reports it after an unknown account. */
export const quoteRule: Rule<'quotePayout'> = async ({ body, wrong }, { db, now }) => {
  const issues = quoteIssues(now, body)
  const { accountId, sourceCurrency } = body
  if (accountId === undefined || sourceCurrency === undefined || issues.length + wrong.size === 0) return issues
  const [account] = await db.select({ currency: accounts.currency }).from(accounts).where(eq(accounts.id, accountId))
  return account && account.currency !== sourceCurrency ? [...issues, accountCurrencyIssue(account)] : issues
}

/**
 * Checks a beneficiary against an open quote, beside other issues. The handler checks it again with the quote locked.
 */
export const executionRule: Rule<'executePayout'> = async ({ body, wrong }, { db, now }) => {
  if (wrong.size === 0 || body.quoteId === undefined) return []
  const [quote] = await db.select().from(quotes).where(eq(quotes.id, body.quoteId))
  return quote && quoteError(now, quote) === null ? executionIssues(quote, body) : []
}

export function accountCurrencyIssue({ currency }: { currency: string }): RuleIssue {
  return { path: 'sourceCurrency', message: `must be the account's currency, ${currency}` }
}

/** `QUOTE_ALREADY_USED` or `QUOTE_EXPIRED`, checked in this order; null for a quote that can be used. */
export function quoteError(now: Date, { payoutId, expiresAt }: QuoteRow): ApiError | null {
  if (payoutId !== null) return new ApiError('QUOTE_ALREADY_USED', 'the quote was used for another payout')
  if (now < expiresAt) return null
  return new ApiError('QUOTE_EXPIRED', `the quote expired at ${expiresAt.toISOString()}`)
}

type Parties = Partial<Pick<ExecutePayout, 'destination' | 'source'>>

/** The beneficiary and the sender: from the execution, and from the quote. */
export function payoutParties(
  { destinationContact, source }: QuoteRow,
  body: Parties,
): { destination: PayoutDestination; source: PayoutSource | null } {
  return { destination: { ...destinationContact, ...body.destination }, source: body.source ?? source }
}

/** The rules of an execution. Unlike a check, it needs every digit of the account number. */
export function executionIssues(quote: QuoteRow, body: Parties): RuleIssue[] {
  const { destination, source } = payoutParties(quote, body)
  const { destinationCountry, destinationCurrency } = quote
  const method = quote.method as PayoutMethod
  const request = { method, destinationCountry, destinationCurrency, destination, source: source ?? undefined }
  const number = destination.accountNumber
  const lost: RuleIssue[] =
    typeof number === 'number' && !Number.isSafeInteger(number)
      ? [{ path: 'destination.accountNumber', message: 'must be a string: as a JSON number it loses digits' }]
      : []
  return [...beneficiaryIssues(request), ...lost, ...countryIssues(request)]
}

/** The input of the rules: the contract's facts, the rate and the bank list. */
type PayoutRequest = PayoutFacts & {
  sourceAmount?: number | undefined
  sourceCurrency?: string | undefined
  destination?: (PayoutFacts['destination'] & { bankCode?: string | undefined }) | undefined
}

/** The rules of country, currencies and amounts, which a quote has to meet. */
function quoteIssues(now: Date, request: PayoutRequest): RuleIssue[] {
  const pair = pairIssues(request)
  return [
    ...pair,
    ...sourceCurrencyIssues(request),
    ...nothingIssues(request),
    ...destinationAmountIssues(request),
    ...(pair.length === 0 ? convertedIssues(now, request) : []),
    ...countryIssues(request),
  ]
}

/** The rules of who receives, which an execution has to meet. */
function beneficiaryIssues(request: PayoutRequest): RuleIssue[] {
  const address = request.destination?.address ?? ''
  const facts = hasChinese(address) ? { ...request, addressInPinyin: addressInPinyin(address) } : request
  return [...destinationIssues(facts), ...bankIssues(request)]
}

const requiredSourceCurrency: RuleIssue = { path: 'sourceCurrency', message: 'is required with sourceAmount' }

function sourceCurrencyIssues({ sourceCurrency, sourceAmount }: PayoutRequest): RuleIssue[] {
  if (sourceCurrency === undefined) {
    return sourceAmount === undefined ? [] : [requiredSourceCurrency]
  }
  return isRateCurrency(sourceCurrency)
    ? []
    : [{ path: 'sourceCurrency', message: `there are no rates of ${sourceCurrency}` }]
}

function nothingIssues({ sourceCurrency, sourceAmount }: PayoutRequest): RuleIssue[] {
  if (sourceCurrency === undefined || sourceAmount === undefined || !isNothing(sourceAmount, sourceCurrency)) return []
  return [nothingIssue('sourceAmount', sourceCurrency)]
}

/** The amount on the other side. An amount that comes to nothing is refused for that reason only. */
function convertedIssues(now: Date, request: PayoutRequest): RuleIssue[] {
  const { sourceCurrency, destinationCurrency, destinationCountry = '' } = request
  if (sourceCurrency === undefined || destinationCurrency === undefined || !isRateCurrency(sourceCurrency)) return []
  const rate = rateAt(now, sourceCurrency, destinationCurrency)
  const given = { rate, sourceCurrency, destinationCurrency }
  const issues: RuleIssue[] = []
  if (request.sourceAmount !== undefined && !isNothing(request.sourceAmount, sourceCurrency)) {
    const { sourceAmount, destinationAmount } = quoteAmounts({ ...given, sourceAmount: request.sourceAmount })
    const minimum = minimumDestinationAmount(destinationCountry, destinationCurrency)
    if (minimum !== null && destinationAmount.lessThan(minimum)) {
      issues.push({
        path: 'sourceAmount',
        message: `must produce at least ${minimum} ${destinationCurrency}, and produces ${destinationAmount} ${destinationCurrency}`,
      })
    } else {
      issues.push(...sizeIssues('sourceAmount', destinationAmount, destinationCurrency))
      issues.push(...sizeIssues('sourceAmount', sourceAmount, sourceCurrency))
    }
  }
  if (request.destinationAmount !== undefined && !isNothing(request.destinationAmount, destinationCurrency)) {
    const { sourceAmount, destinationAmount } = quoteAmounts({ ...given, destinationAmount: request.destinationAmount })
    issues.push(...sizeIssues('destinationAmount', sourceAmount, sourceCurrency))
    issues.push(...sizeIssues('destinationAmount', destinationAmount, destinationCurrency))
  }
  return issues
}

function sizeIssues(path: string, converted: Amount, currency: string): RuleIssue[] {
  if (converted.isZero()) return [{ path, message: `is worth less than the smallest amount of ${currency}` }]
  if (converted.lessThan(amountBound)) return []
  return [{ path, message: `is worth more than an amount in ${currency} can be` }]
}

function bankIssues({ method, destination, destinationCountry }: PayoutRequest): RuleIssue[] {
  const code = destination?.bankCode
  if (method !== 'BANK_TRANSFER' || code === undefined || destinationCountry === undefined) return []
  if (findBank(destinationCountry, code)) return []
  return [{ path: 'destination.bankCode', message: `must be a code of the banks of ${destinationCountry}` }]
}

type ValidateBody = Partial<ParsedRequest<'validatePayout'>['body']>

const aliases = [
  ['currency', 'destinationCurrency'],
  ['amount', 'destinationAmount'],
] as const

/**
 * Checks every rule of a validation. `wrong` are the fields that are invalid by themselves: no rule reports them
 * again under another name.
 */
function validationIssues(now: Date, body: ValidateBody, wrong: ReadonlySet<string>): RuleIssue[] {
  const request = toPayoutRequest(body)
  const needsCurrency = wrong.has('sourceAmount') && request.sourceCurrency === undefined
  const issues: RuleIssue[] = [
    ...aliasIssues(body),
    ...quoteIssues(now, request),
    ...(needsCurrency ? [requiredSourceCurrency] : []),
    ...beneficiaryIssues(request),
  ]
  const givenOtherwise = new Set<string>(aliases.flatMap(([alias, name]) => (wrong.has(alias) ? [name] : [])))
  return issues.filter(({ path }) => !givenOtherwise.has(path))
}

/** `amount` and `currency` are other names; a card payout goes to CN in CNY when it does not say where. */
function toPayoutRequest(body: ValidateBody): PayoutRequest {
  const isCard = body.method === 'NETWORK_CARD'
  return {
    ...body,
    destinationCountry: body.destinationCountry ?? (isCard ? 'CN' : undefined),
    destinationCurrency: body.destinationCurrency ?? body.currency ?? (isCard ? 'CNY' : undefined),
    destinationAmount: body.destinationAmount ?? body.amount,
  }
}

function aliasIssues(body: ValidateBody): RuleIssue[] {
  return aliases.flatMap(([alias, name]) => {
    const [given, named] = [body[alias], body[name]]
    if (given === undefined || named === undefined || given === named) return []
    return [{ path: alias, message: `must be the same as ${name}, whose other name it is` }]
  })
}
