import { randomUUID } from 'node:crypto'
import { destinationFields } from '#lib/contract/payout-entry.ts'
import type { ActionResult } from '#lib/operations/types.ts'
import { payouts } from '#lib/service/tables/payouts.ts'
import type { ActionInput } from '../actions.ts'
import { listFundingAccounts } from '../funding-accounts.ts'
import { quotePayout } from '../payouts/quote-payout.ts'
import { similarId, type Quote } from '../payouts/types.ts'
import type { TestConsole } from './open-console.ts'

type Parties = Pick<
  ActionInput<'payout.submit'>,
  'method' | 'destinationCountry' | 'destinationCurrency' | 'destination' | 'source'
>

const nobody = Object.fromEntries(destinationFields.map((field) => [field, ''])) as Parties['destination']
/** A payout by bank transfer to the Philippines. */
export const philippines: Parties = {
  method: 'BANK_TRANSFER',
  destinationCountry: 'PH',
  destinationCurrency: 'PHP',
  destination: {
    ...nobody,
    accountNumber: '001230456789',
    firstName: 'Maria',
    surname: 'Santos',
    address: '6780 Ayala Avenue, Makati 1226',
  },
  source: { mobileNumber: '' },
}
export const cardNumber = '6222020200012345678'
/** A payout to a card in Mainland China. */
export const card: Parties = {
  method: 'NETWORK_CARD',
  destinationCountry: 'CN',
  destinationCurrency: 'CNY',
  destination: {
    ...nobody,
    accountNumber: cardNumber,
    firstName: 'San',
    surname: 'Zhang',
    firstNameCN: '三',
    surnameCN: '张',
    address: '上海市浦东新区世纪大道88号国金中心二期 18楼',
  },
  source: { mobileNumber: '' },
}

/** A quote from the HKD funding account. */
export async function quoted(parties: Parties, amount = '100'): Promise<Quote> {
  const { accounts } = await listFundingAccounts('sandbox')
  const account = accounts.find(({ currency }) => currency === 'HKD')
  const result = await quotePayout({
    ...parties,
    environment: 'sandbox',
    idempotencyKey: randomUUID(),
    accountId: account?.id ?? '',
    sourceCurrency: 'HKD',
    side: 'source',
    amount,
  })
  if (result.kind !== 'quoted') throw new Error(`no quote: ${JSON.stringify(result)}`)
  return result.quote
}

/** The submission of a quote as the form sends it. */
export function makeSubmission(
  quote: Quote,
  parties: Parties,
  change: Partial<ActionInput<'payout.submit'>> = {},
): ActionInput<'payout.submit'> {
  const { id, accountId, sourceAmount, sourceCurrency, destinationAmount, rate, expiresAt, seal } = quote
  return {
    ...parties,
    environment: 'sandbox',
    operationId: randomUUID(),
    quoteId: id,
    accountId,
    sourceAmount,
    sourceCurrency,
    destinationAmount,
    rate,
    expiresAt,
    seal,
    purpose: 'salary',
    sourceOfFunds: 'business',
    remarks: '',
    xid: '',
    confirmDigits: parties.destination.accountNumber.slice(-4),
    similarShown: quote.similar.map(similarId),
    ...change,
  }
}

/** The payouts that the service itself made from a quote. */
export const payoutsMade = async (desk: TestConsole, quoteId: string) =>
  (await desk.service.service.db.select().from(payouts)).filter((payout) => payout.quoteId === quoteId)

/** The state of the operation, or why there is none. */
export function resultState(result: ActionResult): string {
  return result.kind === 'settled' ? result.operation.outcome.state : result.kind
}
