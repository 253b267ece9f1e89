import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { listCardAccounts } from './card-accounts/list.ts'
import { recordAudit } from './desk/audit/chain.ts'
import { readCardsOf } from './desk/mirror/cards-sync.ts'
import { readingsDone } from './desk/mirror/freshness.ts'
import { directoryAccounts, directoryCards } from './desk/tables/directory.ts'
import { inboxEvents } from './desk/tables/inbox.ts'
import { watchedWebhooks } from './desk/tables/webhooks.ts'
import { listFees } from './fees/list.ts'
import { listPayouts } from './payouts/list.ts'
import { searchConsole } from './search.ts'
import { shareConsole } from './testing/open-console.ts'
import { listTransactions } from './transactions/list.ts'

const desk = shareConsole()

beforeEach(async () => void (await desk.signIn('operations')))

const kindsOf = async (q: string, more = {}) => (await searchConsole('sandbox', { q, ...more })).found

test('finds an account by one Chinese character of its name, a payout by its beneficiary', async () => {
  const { rows } = await listCardAccounts('sandbox', {})
  await readingsDone()
  const id = rows[0]?.account.id ?? ''
  await desk.db
    .update(directoryAccounts)
    .set({ name: '陳大文', searchText: `陳大文\n\n${id}` })
    .where(eq(directoryAccounts.id, id))
  expect(await kindsOf('陳')).toContainEqual(expect.objectContaining({ kind: 'cardaccount', id, label: '陳大文' }))
  const payout = (await listPayouts('sandbox', {})).payouts.find(({ destination }) => destination.accountHolderName)
  const name = payout?.destination.accountHolderName ?? ''
  expect(await kindsOf(name.toUpperCase())).toContainEqual(
    expect.objectContaining({ kind: 'payout', id: payout?.id, label: name, status: payout?.status }),
  )
})

test('nothing found is no final result while cards are being read for the first time', async () => {
  await listCardAccounts('sandbox', {})
  await readingsDone()
  const search = () => searchConsole('sandbox', { q: 'nobody-is-called-this' })
  await desk.db.update(directoryAccounts).set({ cardsReadAt: null })
  expect(await search()).toEqual({ found: [], isReading: true })
  await desk.db.update(directoryAccounts).set({ cardsReadAt: new Date() })
  expect(await search()).toEqual({ found: [], isReading: false })
})

test('finds a card by its last four digits, with its account and status', async () => {
  const { rows } = await listCardAccounts('sandbox', {})
  await readCardsOf('sandbox', rows[0]?.account.id ?? '')
  const [card] = await desk.db.select().from(directoryCards).limit(1)
  expect(await kindsOf(card?.last4 ?? '')).toContainEqual(
    expect.objectContaining({ kind: 'card', id: card?.id, parentId: card?.cardAccountId, status: card?.status }),
  )
})

test('a found card has the status that the service has now, whatever the mirror still has', async () => {
  const { rows } = await listCardAccounts('sandbox', {})
  const [card] = await readCardsOf('sandbox', rows[0]?.account.id ?? '')
  await desk.db
    .update(directoryCards)
    .set({ status: 'pending-issue' })
    .where(eq(directoryCards.id, card?.id ?? ''))
  expect(await kindsOf(card?.last4 ?? '')).toContainEqual(
    expect.objectContaining({ kind: 'card', id: card?.id, status: card?.status }),
  )
})

test('finds a transaction by its merchant, its card and its amount: of the open account, and of late events', async () => {
  const { rows: accounts } = await listCardAccounts('sandbox', {})
  for (const { account } of accounts) {
    const { transactions } = await listTransactions('sandbox', account.id, { intent: 'charge' })
    const [charge] = transactions.filter(({ merchant, cardLast4 }) => merchant?.name && cardLast4)
    if (!charge) continue
    for (const q of [charge.merchant?.name?.toUpperCase(), charge.cardLast4, charge.amount?.toLocaleString('en-HK')]) {
      expect(await kindsOf(q ?? '', { cardAccountId: account.id }), String(q)).toContainEqual(
        expect.objectContaining({ kind: 'transaction', parentId: account.id }),
      )
    }
    break
  }
  await desk.db.insert(inboxEvents).values({
    environment: 'sandbox',
    id: 'event-10',
    event: 'cardaccount.transaction.created',
    body: JSON.stringify({
      data: { merchant: { name: 'Peak Tram 山頂' }, amount: 1234.5, currency: 'HKD', cardLast4: '9876' },
    }),
    isKnown: true,
    cardAccountId: 'account-10',
    transactionId: 'transaction-10',
    receivedAt: new Date(),
    nextAttemptAt: new Date(),
  })
  for (const q of ['peak tram', '山頂', '1,234.50', '9876']) {
    expect(await kindsOf(q), q).toContainEqual({
      kind: 'transaction',
      id: 'transaction-10',
      parentId: 'account-10',
      label: 'Peak Tram 山頂',
      hint: '1234.5 HKD',
      status: null,
    })
  }
  expect(await kindsOf('account-10')).not.toContainEqual(expect.objectContaining({ id: 'transaction-10' }))
})

test('finds a fee by its id, a transaction within the account of the page, and one that an event named', async () => {
  const [fee] = (await listFees('sandbox', {})).fees
  expect(await kindsOf(fee?.fee.id ?? '')).toContainEqual(
    expect.objectContaining({ kind: 'fee', id: fee?.fee.id, label: fee?.fee.intent }),
  )
  const { rows } = await listCardAccounts('sandbox', {})
  const accounts = await Promise.all(
    rows.map(async ({ account: { id } }) => ({ id, ...(await listTransactions('sandbox', id, { pageSize: 1 })) })),
  )
  const account = accounts.find(({ transactions }) => transactions.length > 0)
  const transaction = account?.transactions[0]
  expect(await kindsOf(transaction?.id ?? '', { cardAccountId: account?.id })).toContainEqual(
    expect.objectContaining({ kind: 'transaction', id: transaction?.id, parentId: account?.id }),
  )
  await desk.db.insert(inboxEvents).values({
    environment: 'sandbox',
    id: 'event-1',
    event: 'cardaccount.transaction.created',
    body: JSON.stringify({ id: 'event-1', data: { merchant: { name: 'Star Ferry' }, amount: 12.5, currency: 'HKD' } }),
    isKnown: true,
    cardAccountId: 'account-9',
    transactionId: 'Transaction-9',
    receivedAt: new Date(),
    appliedAt: new Date(),
    nextAttemptAt: new Date(),
  })
  expect(await kindsOf('transaction-9')).toEqual([
    {
      kind: 'transaction',
      id: 'Transaction-9',
      parentId: 'account-9',
      label: 'Star Ferry',
      hint: '12.5 HKD',
      status: null,
    },
  ])
})

test('finds a webhook by a part of its address and an audit entry by a request id; a viewer finds no audit entry', async () => {
  const at = new Date()
  await desk.db.insert(watchedWebhooks).values({
    environment: 'sandbox',
    id: 'webhook-1',
    name: 'Ledger_sync',
    url: 'https://ledger.example.com/in',
    firstAt: at,
    firstReadAt: at,
  })
  for (const q of ['ledger.example', 'LEDGER_S']) {
    expect(await kindsOf(q)).toMatchObject([{ kind: 'webhook', id: 'webhook-1', label: 'Ledger_sync' }])
  }
  expect(await kindsOf('ledger%sync')).toEqual([])
  await recordAudit(desk.db, {
    by: null,
    environment: 'sandbox',
    act: 'card.lock',
    target: { type: 'card', id: 'c', parentId: null, label: 'card ending 4821' },
    outcome: 'done',
    requestId: 'req-77-abc',
  })
  expect(await kindsOf('req-77-abc')).toMatchObject([{ kind: 'audit', label: 'card.lock', hint: 'card ending 4821' }])
  await desk.signIn('viewer')
  expect(await kindsOf('req-77-abc')).toEqual([])
})

test('a card number is refused, and the service is called only for a text that can be an id', async () => {
  await expect(kindsOf('4242 4242 4242 4242')).rejects.toMatchObject({ code: 'CARD_NUMBER_REFUSED' })
  desk.requests.clear()
  await kindsOf('Chan Tai Man')
  expect(desk.requests.get('/service/v1/fees')).toBeUndefined()
})
