import type { EndpointInput } from '#lib/client/prepare.ts'
import type { AttemptResult } from '#lib/client/read-response.ts'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { isFields } from '#lib/shared/json.ts'
import type { EndpointCheck } from './types.ts'

/** One call of a check: the reported facts, and the response, which is checked but never stored. */
export type ObservedCall = EndpointCheck & { headers: AttemptResult['headers']; body: unknown; record: unknown }

/** Values that earlier responses of a check held, for the endpoints that need one. They stay in memory. */
export type Found = Partial<Record<'cardAccountId' | 'wireCode', string>>

/** The input of a read endpoint, or why it can't be called. */
type ReadCall = (found: Found) => { input: EndpointInput<EndpointName> } | { reason: string }

const withInput =
  (input: object = {}): ReadCall =>
  () => ({ input })

const withCardAccount: ReadCall = ({ cardAccountId }) =>
  cardAccountId === undefined ? { reason: 'no card account found' } : { input: { query: { cardAccountId } } as object }

/** How a check calls each GET endpoint, in this order: lists first, so that an id is found for the others. */
export const readCalls: Partial<Record<EndpointName, ReadCall>> = {
  ping: withInput(),
  listCardAccounts: withInput({ query: { pageSize: '20' } }),
  aggregateBalance: withInput(),
  listOccupations: withInput(),
  listPositions: withInput(),
  listFees: withInput({ query: { pageSize: '20' } }),
  listCardAccountTransactions: withCardAccount,
  listCards: withCardAccount,
  getClientIdentity: withCardAccount,
  listPayouts: withInput({ query: { pageSize: '20' } }),
  listAccounts: withInput(),
  listAccountTransactions: withInput({ query: { pageSize: '20' } }),
  getRates: withInput({ query: { baseCurrency: 'USD' } }),
  listPayoutBanks: withInput({ params: { countryCode: 'HK' } }),
  getBank: ({ wireCode }) =>
    wireCode === undefined ? { reason: 'no SWIFT code found' } : { input: { query: { wireCode } } as object },
  listWebhooks: withInput(),
  listWebhookStats: withInput(),
  getCardSensitiveInfo: () => ({ reason: 'it opens a one-time link to card data' }),
}

/** Every read endpoint of the contract, in the order in which a check calls them. */
export const readEndpoints: readonly EndpointName[] = [
  ...(Object.keys(readCalls) as EndpointName[]),
  ...endpointNames.filter((name) => endpointRow(name).method === 'GET' && !Object.hasOwn(readCalls, name)),
]

/** A SWIFT code: a bank's code of another form is no input for the bank lookup. */
const wireCodePattern = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** Takes from a parsed response what later endpoints need. An account with a transaction of a card is the best example. */
export function noteFound(found: Found, name: EndpointName, record: unknown): void {
  if (name === 'listCardAccounts') {
    // What owes something was charged by a card; the newest accounts may have none yet.
    const accounts = items(record, 'cardaccounts')
    const isUsed = (field: string) => (account: Record<string, unknown>) => Number(account[field] ?? 0) !== 0
    const used = accounts.findLast(isUsed('outstanding')) ?? accounts.findLast(isUsed('balance'))
    const id = (used ?? accounts.at(-1))?.id
    if (typeof id === 'string') found.cardAccountId = id
  }
  if (name === 'listFees') {
    const transaction = items(record, 'fees').map((fee) => fee.transaction)
    const ofCard = transaction.find((one) => isFields(one) && typeof one.cardId === 'string')
    const id = isFields(ofCard) ? ofCard.cardAccountId : undefined
    if (typeof id === 'string') found.cardAccountId = id
  }
  if (name === 'listPayouts') {
    const codes = items(record, 'payouts').map(({ destination }) =>
      isFields(destination) ? destination.wireCode : null,
    )
    const code = codes.find((one) => typeof one === 'string' && one !== '')
    if (typeof code === 'string') found.wireCode = code
  }
  if (name === 'listPayoutBanks') {
    const codes = items(record, 'banks').map(({ code }) => code)
    const wireCode = codes.find((code) => typeof code === 'string' && wireCodePattern.test(code))
    if (typeof wireCode === 'string') found.wireCode ??= wireCode
  }
}

export function items(record: unknown, list: string): Record<string, unknown>[] {
  const value = isFields(record) ? record[list] : undefined
  return Array.isArray(value) ? value.filter(isFields) : []
}
