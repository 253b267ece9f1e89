import { parseResponse } from '#lib/client/parse-response.ts'
import { contractProfile, responseNames } from '#lib/client/service-profile.ts'
import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import type {
  Card,
  CardAccount,
  CardAccountTransaction,
  ClientIdentity,
  FeeEntry,
  Payout,
  ReceivedResponse,
} from '#lib/contract/records.ts'
import type { Target } from '../target.ts'

/** The records that say in which state a card account is, as a service returns them: personal data is in them. */
export type AccountCase = {
  kind: 'account'
  account: CardAccount
  identity: ClientIdentity | null
  cards: readonly Card[]
  /** Newest first. */
  transactions: readonly CardAccountTransaction[]
  fees: readonly FeeEntry[]
  /** The transaction that the case is about; null for the whole account. */
  transactionId: string | null
  /** Older transactions, more cards or more fees exist than were read. */
  isTruncated: boolean
  /** The service's clock when it was read. */
  now: Date
}

export type PayoutCase = { kind: 'payout'; payout: Payout; now: Date }
export type Case = AccountCase | PayoutCase

/** The record of a case. */
export type Subject =
  | { type: 'account'; id: string }
  | { type: 'transaction'; id: string; cardAccountId: string }
  | { type: 'payout'; id: string }

type Query = Record<string, string | undefined>

/** Reads an endpoint of the service that has the original. */
export type Ask = <Name extends EndpointName>(name: Name, query: Query) => Promise<ReceivedResponse<Name>>

const mostPages = 3
const pageSize = '100'

/** Reads the records of a case. Null where the service has no such record; throws what `ask` throws. */
export async function readCase(ask: Ask, subject: Subject, clock: Date): Promise<Case | null> {
  if (subject.type === 'payout') {
    const payout = (await ask('listPayouts', { payoutId: subject.id })).payouts.find(({ id }) => id === subject.id)
    return payout ? { kind: 'payout', payout, now: latestTime(clock, [payout.updated, payout.created]) } : null
  }
  const cardAccountId = subject.type === 'account' ? subject.id : subject.cardAccountId
  const account = (await ask('listCardAccounts', { cardAccountId })).cardaccounts.find(({ id }) => id === cardAccountId)
  if (!account) return null
  const identity = await ask('getClientIdentity', { cardAccountId })
  const cards = await readPages(
    (page) => ask('listCards', { cardAccountId, ...page }),
    (response) => response.cards,
  )
  const transactions = await readPages(
    (page) => ask('listCardAccountTransactions', { cardAccountId, ...page }),
    (response) => response.transactions,
  )
  const fees = await readPages(
    (page) => ask('listFees', { accountId: cardAccountId, ...page }),
    (response) => response.fees,
  )
  const rows = [...transactions.rows]
  if (subject.type === 'transaction' && !rows.some(({ id }) => id === subject.id)) {
    const query = { cardAccountId, transactionId: subject.id }
    const older = (await ask('listCardAccountTransactions', query)).transactions.find(({ id }) => id === subject.id)
    if (!older) return null
    rows.push(older)
  }
  return {
    kind: 'account',
    account,
    identity,
    cards: cards.rows,
    transactions: rows,
    fees: fees.rows,
    transactionId: subject.type === 'transaction' ? subject.id : null,
    isTruncated: cards.isTruncated || transactions.isTruncated || fees.isTruncated,
    now: latestTime(
      clock,
      rows.map(({ createdAt }) => createdAt),
    ),
  }
}

async function readPages<Page extends { nextPageToken: string | null }, Row>(
  read: (page: Query) => Promise<Page>,
  list: (response: Page) => readonly Row[],
): Promise<{ rows: Row[]; isTruncated: boolean }> {
  const rows: Row[] = []
  let pageToken: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const response = await read({ pageSize, pageToken })
    rows.push(...list(response))
    pageToken = response.nextPageToken ?? undefined
    if (pageToken === undefined) return { rows, isTruncated: false }
  }
  return { rows, isTruncated: true }
}

/** A service's clock is never behind what it has written. */
function latestTime(clock: Date, times: readonly (string | null)[]): Date {
  const written = times.flatMap((time) => (time === null ? [] : [Date.parse(time)])).filter(Number.isFinite)
  return new Date(Math.max(clock.getTime(), ...written))
}

/** Asks the service of a scenario's target. Throws an `Error` for people for any response but a success. */
export function makeAsk(target: Target): Ask {
  return async (name, query) => {
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
    const response = await target.send(target.prepareCall(name, { query: given }), { endpoint: name })
    if (response.status !== 200)
      throw new Error(
        `${endpointRow(name).path}: ${response.message ?? `HTTP ${response.status ?? 'without a response'}`}`,
      )
    const parsed = parseResponse(endpointRow(name).response, response.body, responseNames(contractProfile, name))
    if ('unexpected' in parsed) throw new Error(`${endpointRow(name).path}: the response is not of its form.`)
    return parsed.record as ReceivedResponse<typeof name>
  }
}
