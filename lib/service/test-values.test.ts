import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { payoutEndings, testValues } from '#lib/contract/test-values.ts'
import { accounts } from './tables/payouts.ts'
import { cardAccountTransactions } from './tables/transactions.ts'
import { addCard } from './testing-records.ts'
import { openTestService, type TestService } from './testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 3 })
})
afterAll(() => opened.close())

const destination = {
  firstName: 'Siu Ming',
  surname: 'Wong',
  address: 'Flat 5, 12 Queen’s Road Central, Hong Kong',
}

async function quote(changes: object = {}) {
  const [account] = await opened.service.db.select().from(accounts).where(eq(accounts.currency, 'HKD'))
  const body = {
    method: 'BANK_TRANSFER',
    accountId: account?.id,
    sourceCurrency: 'HKD',
    destinationCountry: 'HK',
    destinationCurrency: 'HKD',
    ...changes,
  }
  return opened.call('quotePayout', { body })
}

async function payoutTo(accountNumber: string): Promise<string> {
  const { json } = await quote({ sourceAmount: 100 })
  const body = {
    quoteId: json.id,
    destination: { ...destination, accountNumber },
    purpose: 'salary',
    sourceOfFunds: 'business',
  }
  return (await opened.call('executePayout', { body })).json.id
}

async function declineCode(change: { amount?: number; status?: 'locked' }): Promise<string | undefined> {
  const { db } = opened.service
  const card = await addCard(db, change.status ? { status: change.status } : {})
  const { json } = await opened.call('simulateAuthorization', {
    body: { ...card, amount: change.amount ?? 1, currency: 'HKD' },
  })
  const [row] = await db
    .select()
    .from(cardAccountTransactions)
    .where(eq(cardAccountTransactions.id, json.cardTransactionId))
  return row?.authorization?.responseCode
}

const codeOf = async (name: EndpointName, input: object) => (await opened.call(name, input)).json.code

/** What the built-in service does with a value of the table, in the words of the table. */
const outcomes: Record<string, () => Promise<string>> = {
  'executePayout any other number': async () => statusAfter('123456789012'),
  ...Object.fromEntries(
    Object.keys(payoutEndings).map((digits) => [
      `executePayout ends with ${digits}`,
      () => statusAfter(`12345678${digits}`),
    ]),
  ),
  'validatePayout NETWORK_CARD, not 16 to 19 digits': () =>
    codeOf('validatePayout', {
      body: {
        method: 'NETWORK_CARD',
        destination: { ...destination, accountNumber: '123456789012345', firstNameCN: '三', surnameCN: '张' },
      },
    }),
  'quotePayout 49999 IDR to ID': async () =>
    (
      await quote({
        destinationAmount: 49_999,
        destinationCountry: 'ID',
        destinationCurrency: 'IDR',
        source: { mobileNumber: '+85291234567' },
      })
    ).json.code,
  'quotePayout 4 KRW to KR': async () =>
    (
      await quote({
        destinationAmount: 4,
        destinationCountry: 'KR',
        destinationCurrency: 'KRW',
        destination: { mobileNumber: '+821012345678' },
      })
    ).json.code,
  'quotePayout BANK_WIRE': async () => (await quote({ method: 'BANK_WIRE', sourceAmount: 100 })).json.code,
  'simulateAuthorization a card that is not active': async () => `${await declineCode({ status: 'locked' })}`,
  'simulateAuthorization above the account’s available amount': async () =>
    `${await declineCode({ amount: 90_000_000 })}`,
  'getBank HSBCHKHH': async () => (await opened.call('getBank', { query: { wireCode: 'HSBCHKHH' } })).json.country,
  'getBank NOBANKXX': () => codeOf('getBank', { query: { wireCode: 'NOBANKXX' } }),
  'listPayoutBanks FR': () => codeOf('listPayoutBanks', { params: { countryCode: 'FR' } }),
  'createWebhook https://10.0.0.1/events': () =>
    codeOf('createWebhook', { body: { url: 'https://10.0.0.1/events', events: ['*'] } }),
}

async function statusAfter(accountNumber: string): Promise<string> {
  const id = await payoutTo(accountNumber)
  await opened.control('POST', '/clock', { advance: 'PT1H' })
  const { json } = await opened.call('listPayouts', { query: { payoutId: id } })
  const [payout] = json.payouts
  return payout.status === 'requested' ? 'review' : payout.status
}

/** `card-limits.test.ts` proves each limit of a card. */
const provedElsewhere = ['simulateAuthorization above a limit of the card']

test.each(testValues.map(({ endpoint, value, result }) => [`${endpoint} ${value}`, result]))(
  '%s: %s',
  async (key, result) => {
    if (provedElsewhere.includes(key)) return
    const outcome = outcomes[key]
    expect(outcome, 'each test value is proved here').toBeDefined()
    const found = (await outcome?.()) ?? ''
    expect(found).not.toBe('')
    expect(result.replace('fails', 'failed')).toContain(found)
  },
)
