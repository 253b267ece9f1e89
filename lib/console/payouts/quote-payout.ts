import 'server-only'
import type { z } from 'zod'
import { recordRefusedAttempt } from '#lib/audit/refused-attempts.ts'
import type { Target } from '#lib/audit/types.ts'
import type { Staff } from '#lib/auth/types.ts'
import { entryIssues, partyIssues, type PayoutEntry, readEnteredAmount, toParties } from '#lib/contract/payout-entry.ts'
import { database } from '#lib/db/connection.ts'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { callService } from '#lib/environments/environments.ts'
import { action } from '#lib/gate/action.ts'
import { Id } from '#lib/operations/spec.ts'
import { AppError, isAppError, nullOn } from '#lib/shared/app-error.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { amount, roundToMinorUnit, toWire } from '#lib/shared/money.ts'
import { EnvironmentName, ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { findQuoteProblem, rateOfSource } from './check-quote.ts'
import { Entry, fieldsOfError } from './entry.ts'
import { sealOfQuote } from './quote-seal.ts'
import { findSimilarPayouts, toPayment } from './similar-payouts.ts'
import type { MarketComparison, QuoteFacts, QuoteResult, ValidationResult } from './types.ts'

const QuoteInput = Entry.extend({
  environment: EnvironmentName,
  /** A UUID of this click: a retry is the same quote, another click is another. */
  idempotencyKey: Id,
  accountId: ServiceId,
})
type ParsedInput = z.output<typeof QuoteInput>

const ValidationInput = Entry.extend({ environment: EnvironmentName })

/** Validates the beneficiary, then requests a quote. No money moves; the service drops an unused quote. */
export const quotePayout = action('quotePayout', {
  input: QuoteInput,
  target: (idIn) => fundingAccountTarget(idIn('accountId')),
  run: async (given, { staff }): Promise<QuoteResult> => {
    const broken = entryIssues(given, null)
    if (Object.keys(broken).length > 0) return { kind: 'invalid', fields: broken }
    const { environment, accountId } = given
    const attempt = { by: staff, environment, act: 'payout.quote', target: fundingAccountTarget(accountId) }
    return withRefusalAudited(attempt, () => validateAndQuote(given, staff.id))
  },
})

/** Validates a payout at the service, without a quote. Its amount may be empty; every rule that needs one is then left to the quote. */
export const validatePayout = action('validatePayout', {
  input: ValidationInput,
  run: async ({ environment, ...entry }, { staff }): Promise<ValidationResult> => {
    const broken = entry.amount.trim() === '' ? partyIssues(entry) : entryIssues(entry, null)
    if (Object.keys(broken).length > 0) return { kind: 'invalid', fields: broken }
    return withRefusalAudited({ by: staff, environment, act: 'payout.validate', target: null }, () =>
      orInvalid<ValidationResult>(entry, async () => {
        const { valid, message } = await requestValidation(environment, entry)
        return { kind: 'valid', isSaid: valid === true, message }
      }),
    )
  },
})

function fundingAccountTarget(id: string | null): Target | null {
  return id === null ? null : { type: 'account', id, parentId: null, label: null }
}

/** Neither changes anything, so neither is audited; what the service refuses is. */
async function withRefusalAudited<Result extends QuoteResult | ValidationResult>(
  attempt: { by: Staff; environment: Environment; act: string; target: Target | null },
  work: () => Promise<Result>,
): Promise<Result> {
  const audit = ({ code, requestId }: { code: string; requestId: string | null }) =>
    recordRefusedAttempt(database(), { ...attempt, code, requestId })
  try {
    const result = await work()
    if (result.kind === 'invalid' && 'by' in result) await audit(result)
    return result
  } catch (error) {
    if (isAppError(error)) await audit(error)
    throw error
  }
}

function validateAndQuote(input: ParsedInput, staffId: string): Promise<QuoteResult> {
  const { environment, accountId, method } = input
  return orInvalid<QuoteResult>(input, async () => {
    const { valid } = await requestValidation(environment, input)
    const [received, marketRate] = await Promise.all([requestQuote(input), readMarketRate(input)])
    const { createdAt, expiresInMs, ...reported } = received
    const facts: QuoteFacts = { ...reported, accountId, method }
    const market = marketRate === null ? null : compareWithMarket(facts, marketRate)
    const seal = sealOfQuote(environment, staffId, facts)
    const { destination } = input
    const similar = await findSimilarPayouts(environment, toPayment({ ...facts, destination }), null)
    const isValidated = valid === true
    return { kind: 'quoted', quote: { ...facts, createdAt, expiresInMs, market, isValidated, seal, similar } }
  })
}

const namesFields = new Set<string>(['INVALID_PARAMETERS', 'NETWORK_CARD_INVALID_BANK_ACCOUNT'])

/** The result, or the fields that an error of the service names. */
async function orInvalid<Result>(
  entry: PayoutEntry,
  work: () => Promise<Result>,
): Promise<Result | Extract<QuoteResult, { by: 'service' }>> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error) || !namesFields.has(error.code)) throw error
    const message = withoutCardNumbers(error.message, entry.destination.accountNumber)
    const { code, requestId } = error
    return { kind: 'invalid', by: 'service', code, requestId, ...fieldsOfError(message, entry) }
  }
}

/**
 * The service's validation, of rates and banks, too. `valid` is null where it said neither. Throws an error that names the fields
 * where it said that the payout is not valid.
 */
async function requestValidation(environment: Environment, entry: PayoutEntry) {
  const { response } = await callService(environment, 'validatePayout', { body: toBody(entry) })
  if (response.valid === false) {
    throw new AppError(
      'INVALID_PARAMETERS',
      response.message ?? 'The card service refused the payout without a reason.',
    )
  }
  return response
}

async function requestQuote(input: ParsedInput): Promise<Omit<QuoteFacts, 'method'> & Lifetime> {
  const { environment, accountId, sourceCurrency, destinationCountry, destinationCurrency, idempotencyKey } = input
  const body = { ...toBody(input), accountId, idempotencyKey }
  const { response } = await callService(environment, 'quotePayout', { body })
  const { id, sourceAmount, destinationAmount, rate, expiresAt } = response
  const required = { id, sourceAmount, destinationAmount, rate, expiresAt }
  if (!id || sourceAmount === null || destinationAmount === null || rate === null || expiresAt === null) {
    const missing = Object.entries(required).flatMap(([name, value]) => (value ? [] : [name]))
    const message = `The card service returned a quote without ${missing.join(', ')}. It cannot be used.`
    throw new AppError('SERVICE_REFUSED', message)
  }
  const quoted = { ...response, sourceAmount, destinationAmount }
  const problem = findQuoteProblem(quoted, body, (terms) => `you asked for ${terms}`)
  if (problem !== null) throw new AppError('QUOTE_MISMATCH', problem)
  return {
    id,
    accountId,
    sourceAmount: amount(sourceAmount).toString(),
    sourceCurrency,
    destinationCountry,
    destinationAmount: amount(destinationAmount).toString(),
    destinationCurrency,
    rate: rateOfSource({ ...quoted, rate, sourceCurrency, destinationCurrency }),
    expiresAt,
    ...(await lifetime(environment, response.createdAt, expiresAt)),
  }
}

type Lifetime = { createdAt: string; expiresInMs: number }

/**
 * Both times are of the service's clock, so that the console's clock has no say. A quote without a creation time, or without a
 * lifetime, is counted from the service's time now.
 */
async function lifetime(environment: Environment, createdAt: string | null, expiresAt: string): Promise<Lifetime> {
  if (createdAt !== null && expiresAt > createdAt) {
    return { createdAt, expiresInMs: Date.parse(expiresAt) - Date.parse(createdAt) }
  }
  const { serviceAt } = await readServiceClock(environment)
  const expiresInMs = Math.max(0, Date.parse(expiresAt) - serviceAt.getTime())
  return { createdAt: createdAt ?? serviceAt.toISOString(), expiresInMs }
}

/**
 * The entry for the service, with the one of the two amounts that was entered: a JSON number that has every digit of the text. A
 * validation may come before the amount.
 */
function toBody(entry: PayoutEntry) {
  const { method, sourceCurrency, destinationCountry, destinationCurrency, side } = entry
  return {
    method,
    sourceCurrency,
    destinationCountry,
    destinationCurrency,
    ...(entry.amount.trim() === '' ? {} : { [`${side}Amount` as const]: wireAmount(entry) }),
    ...toParties(entry),
  }
}

function wireAmount(entry: PayoutEntry) {
  const entered = readEnteredAmount(entry)
  if ('problem' in entered) throw new TypeError('the amount was validated before')
  return toWire(entered.amount)
}

/** The plain rate at the same moment. Null where there is none: the quote is valid without it. */
async function readMarketRate({
  environment,
  sourceCurrency,
  destinationCurrency,
}: ParsedInput): Promise<number | null> {
  if (sourceCurrency === destinationCurrency) return null
  const query = { baseCurrency: sourceCurrency, currencies: destinationCurrency }
  const received = await nullOn(callService(environment, 'getRates', { query }))
  const rate = received?.response.rates[destinationCurrency]
  return typeof rate === 'number' && rate > 0 ? rate : null
}

type QuotedAmounts = {
  sourceAmount: string
  destinationAmount: string
  destinationCurrency: string
  rate: string
}

/** Throws `TypeError` where a figure is no number. */
export function compareWithMarket(quote: QuotedAmounts, marketRate: string | number): MarketComparison {
  const market = amount(marketRate)
  const rate = amount(quote.rate)
  const atMarket = roundToMinorUnit(amount(quote.sourceAmount).times(market), quote.destinationCurrency)
  if (rate.equals(market) || !market.isPositive() || market.isZero()) {
    return {
      rate: market.toString(),
      destinationAmount: quote.destinationAmount,
      difference: '0',
      percent: '0',
      relation: 'same',
    }
  }
  return {
    rate: market.toString(),
    destinationAmount: atMarket.toString(),
    difference: amount(quote.destinationAmount).minus(atMarket).toString(),
    percent: rate.dividedBy(market).minus(1).times(100).toDecimalPlaces(2).toString(),
    relation: rate.greaterThan(market) ? 'better' : 'worse',
  }
}
