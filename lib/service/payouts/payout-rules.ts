import { eq } from 'drizzle-orm'
import { countryIssues, type PayoutMethod, type RuleIssue } from '#lib/contract/payout-rules.ts'
import type { ExecutePayout, PayoutDestination, PayoutSource } from '#lib/contract/payouts.ts'
import { ApiError } from '../api-error.ts'
import type { Rule } from '../handler.ts'
import { accounts, quotes } from '../tables/payouts.ts'
import { beneficiaryIssues, quoteIssues, validationIssues } from './payout-checks.ts'
import type { QuoteRow } from './payout-record.ts'

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
export function partiesOf(
  { destinationContact, source }: QuoteRow,
  body: Parties,
): { destination: PayoutDestination; source: PayoutSource | null } {
  return { destination: { ...destinationContact, ...body.destination }, source: body.source ?? source }
}

/** The rules of an execution. Unlike a check, it needs every digit of the account number. */
export function executionIssues(quote: QuoteRow, body: Parties): RuleIssue[] {
  const { destination, source } = partiesOf(quote, body)
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
