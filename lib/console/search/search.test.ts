import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { recordAudit } from '#lib/audit/chain.ts'
import type { CardAccount, CardAccountTransaction, FeeEntry } from '#lib/contract/records.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import { indexAccounts } from '#lib/index/index-accounts.ts'
import { indexCards } from '#lib/index/index-cards.ts'
import { readingsDone } from '#lib/index/single-flight.ts'
import { indexTransactions } from '#lib/index/transactions.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { shortId } from '#lib/shared/ids.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { serviceRequests } from '#lib/tables/requests.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'
import { listCardAccounts } from '../card-accounts/list.ts'
import { indexFees } from '../fees/index-fees.ts'
import { listFees } from '../fees/list-fees.ts'
import { listPayouts } from '../payouts/list-payouts.ts'
import { shareConsole } from '../testing/open-console.ts'
import { listTransactions } from '../transactions/list.ts'
import { parseAmountSearch } from './find-transactions.ts'
import { searchConsole } from './search.ts'

const desk = shareConsole()

beforeEach(async () => void (await desk.signIn('operations')))

const kindsOf = async (q: string, more = {}) => (await searchConsole('sandbox', { q, ...more })).found

/** Gives the first account a name as the service would send it. */
async function nameAccount(name: string, at = 0): Promise<CardAccount> {
  const { rows } = await listCardAccounts('sandbox', {})
  await readingsDone()
  const account = rows[at]?.account
  if (!account) throw new Error('the seed has accounts')
  await indexAccounts(desk.db, 'sandbox', [{ ...account, name }], new Date())
  return { ...account, name }
}
const firstOf = async (q: string, more = {}) => (await kindsOf(q, more))[0]

test.each([
  ['Chan Tai Man', 'chan tai man', 'MAN tai chan', 'taiman chan', 'Chan Tia Man', 'chna tai man', 'tai-man'],
  ['陳大文', '陳大文', '陈大文', '陳', 'Chan Tai Man', 'Chen Dawen', 'dawen chen', 'chen da wen'],
  ['陈大文', '陳大文', 'Chan Tai Man', 'chen dawen'],
  ['Renée O’Brien', 'renee obrien', "o'brien", 'Renee Obrein'],
  ['Meridian Travel Ltd', 'meridain travle', 'travel merid'],
  ['呂綠', 'Lu Lv', 'lyu', 'Lui Luk'],
])('an account named %s is found first by each way to write it', async (name, ...spellings) => {
  const { id } = await nameAccount(name)
  for (const q of spellings) expect(await firstOf(q), q).toMatchObject({ kind: 'cardaccount', id, label: name })
})

test('a payout is found by its beneficiary, and its amount is formatted', async () => {
  const payout = (await listPayouts('sandbox', {})).payouts.find(({ destination }) => destination.accountHolderName)
  const name = payout?.destination.accountHolderName ?? ''
  for (const q of [name.toUpperCase(), name.split(' ').toReversed().join(' '), payout?.id.slice(-6) ?? '']) {
    expect(await kindsOf(q), q).toContainEqual(
      expect.objectContaining({ kind: 'payout', id: payout?.id, label: name, status: payout?.status }),
    )
  }
  const found = (await kindsOf(payout?.id ?? '')).find(({ kind }) => kind === 'payout')
  expect(found?.hint).toContain(formatAmount(payout?.destinationAmount ?? 0, payout?.destinationCurrency ?? null))
})

test('an account is found by its phone number in any spelling, and by the e-mail address of its card', async () => {
  const { rows } = await listCardAccounts('sandbox', {})
  const account = rows[0]?.account
  const [card] = await readCards('sandbox', account?.id ?? '')
  const digits = (account?.phoneNumber ?? '').slice(4)
  expect(account?.phoneNumber).toBe(`+852${digits}`)
  expect(await kindsOf(digits.slice(-4)), 'its last four').toContainEqual(
    expect.objectContaining({ kind: 'cardaccount', id: account?.id }),
  )
  const spellings = [digits, `+852 ${digits.slice(0, 4)} ${digits.slice(4)}`, `852-${digits}`, `00852${digits}`]
  for (const q of [...spellings, card?.cardEmail ?? '', (card?.cardEmail ?? '').split('@')[0] + '@']) {
    expect(await firstOf(q), q).toMatchObject({ kind: 'cardaccount', id: account?.id })
  }
  await desk.signIn('viewer')
  for (const q of [...spellings, card?.cardEmail ?? '']) expect(await kindsOf(q), q).toEqual([])
})

test('accounts and cards are found by their external ids and by the ends of their ids', async () => {
  const { rows } = await listCardAccounts('sandbox', {})
  const account = rows.find((row) => row.account.xid)?.account
  const [card] = await readCards('sandbox', account?.id ?? '')
  if (!account?.xid || !card) throw new Error('the seed has accounts with cards')
  await indexCards(desk.db as never, 'sandbox', account.id, [{ ...card, xid: 'EMP-7788-CARD' }], {
    fetchedAt: new Date(),
    isWhole: false,
  })
  for (const q of [
    account.xid,
    account.xid.toLowerCase().replaceAll('-', ''),
    account.id.slice(0, 4),
    account.id.slice(-4),
    shortId(account.id),
  ]) {
    expect(await kindsOf(q), q).toContainEqual(expect.objectContaining({ kind: 'cardaccount', id: account.id }))
  }
  for (const q of [
    'EMP-7788-CARD',
    'emp7788card',
    'emp7788',
    card.id,
    card.id.slice(0, 6),
    card.id.slice(-6),
    shortId(card.id),
  ]) {
    expect(await kindsOf(q), q).toContainEqual(expect.objectContaining({ kind: 'card', id: card.id }))
  }
})

test('last four digits and a name give the card in any order; a deed brings the cards of the people it names', async () => {
  const { id } = await nameAccount('Fong Yuk Lan')
  const [card] = await readCards('sandbox', id)
  for (const q of [`${card?.last4} fong`, `fong ${card?.last4}`, `lan yuk ${card?.last4}`, `${card?.last4} fnog`]) {
    const found = await kindsOf(q)
    expect(found, q).toContainEqual(expect.objectContaining({ kind: 'card', id: card?.id, parentId: id }))
  }
  expect(await kindsOf(`${card?.last4} nobody`)).toEqual([])
  expect((await kindsOf('fong yuk lan')).map(({ kind }) => kind)).toEqual(['cardaccount'])
  expect(await kindsOf('fong yuk lan', { cards: 'yes' })).toContainEqual(
    expect.objectContaining({ kind: 'card', id: card?.id, status: card?.status }),
  )
})

test('of the cards for a deed, those of the closest person come first', async () => {
  const far = await nameAccount('Yeo Kuk', 0)
  const near = await nameAccount('Leo Kuk', 1)
  const found = await kindsOf('leo', { cards: 'yes' })
  const owners = found.filter(({ kind }) => kind === 'card').map(({ parentId }) => parentId)
  expect(owners).toContain(far.id)
  expect(owners.indexOf(near.id)).toBe(0)
})

test('nothing found is no final result while cards are being read for the first time', async () => {
  await listCardAccounts('sandbox', {})
  await readingsDone()
  const search = () => searchConsole('sandbox', { q: 'nobody-is-called-this' })
  await desk.db.update(indexedAccounts).set({ cardsReadAt: null })
  expect(await search()).toEqual({ found: [], isReading: true })
  await desk.db.update(indexedAccounts).set({ cardsReadAt: new Date() })
  expect(await search()).toEqual({ found: [], isReading: false })
})

test('finds a card by its last four digits, with its account and status', async () => {
  const { rows } = await listCardAccounts('sandbox', {})
  await readCards('sandbox', rows[0]?.account.id ?? '')
  const [card] = await desk.db.select().from(indexedCards).limit(1)
  expect(await kindsOf(card?.last4 ?? '')).toContainEqual(
    expect.objectContaining({ kind: 'card', id: card?.id, parentId: card?.cardAccountId, status: card?.status }),
  )
})

test('finds a card by its last four digits as the screen writes them', async () => {
  const { id } = await nameAccount('Fong Yuk Lan')
  const [card] = await readCards('sandbox', id)
  for (const before of ['•', '****', '**** ', 'card ', 'Card ending ', 'ending in ', 'fong •', 'Fong, card ending ']) {
    const q = `${before}${card?.last4}`
    expect(await kindsOf(q), q).toContainEqual(expect.objectContaining({ kind: 'card', id: card?.id }))
  }
})

test('a card to which something is to be done has the status that the service has now, whatever the index still has', async () => {
  const { rows } = await listCardAccounts('sandbox', {})
  const [card] = await readCards('sandbox', rows[0]?.account.id ?? '')
  await desk.db
    .update(indexedCards)
    .set({ status: 'pending-issue' })
    .where(eq(indexedCards.id, card?.id ?? ''))
  const { found } = await searchConsole('sandbox', { q: card?.last4 ?? '', cards: 'yes' })
  expect(found).toContainEqual(expect.objectContaining({ kind: 'card', id: card?.id, status: card?.status }))
})

async function indexCharge(charge: Partial<CardAccountTransaction>): Promise<void> {
  const { rows } = await listCardAccounts('sandbox', {})
  for (const { account } of rows) {
    const [one] = (await listTransactions('sandbox', account.id, { intent: 'charge' })).transactions
    if (!one) continue
    await indexTransactions(desk.db, 'sandbox', 'account-10', [{ ...one, ...charge }], new Date())
    return
  }
  throw new Error('the seed has charges')
}

test('finds a transaction by its merchant, also misspelled, by its amount and by its id or an end of it', async () => {
  await indexCharge({
    id: '7f3c0a1e-0000-4000-8000-00000000beef',
    refId: 'TXN634663610013',
    merchant: { name: 'Peak Tram 山頂', mcc: '4111', category: 'Transport', country: 'HK' } as never,
    amount: 1234.5,
    currency: 'HKD',
    status: 'posted',
  })
  const expected = {
    kind: 'transaction',
    id: '7f3c0a1e-0000-4000-8000-00000000beef',
    parentId: 'account-10',
    label: 'Peak Tram 山頂',
    hint: '1,234.50 HKD',
    status: 'posted',
  }
  for (const q of [
    'peak tram',
    'txn634663610013',
    'paek tram',
    '山頂',
    '山顶',
    '1,234.50',
    '1,234.50 HKD',
    'hkd1234.5',
    'HK$1,234.50',
    '−1,234.50 HKD',
    'tram 1234.50',
    '1,234.5 hkd peak',
    '7f3c0a',
    'beef',
    expected.id,
  ]) {
    expect(await kindsOf(q), q).toContainEqual(expected)
  }
  for (const q of ['3c0a1e-0', '12,34.50']) expect(await kindsOf(q), q).not.toContainEqual(expected)
})

test.each([
  ['250', '250', null, ''],
  ['1,250.00 HKD', '1250', 'HKD', ''],
  ['usd 20', '20', 'USD', ''],
  ['20USD', '20', 'USD', ''],
  ['$250', '250', null, ''],
  ['+HK$250.50', '250.5', null, ''],
  ['Klook 1250', '1250', null, 'Klook'],
  ['1250 HKD klook', '1250', 'HKD', 'klook'],
  ['Peak Tram 7', '7', null, 'Peak Tram'],
  ['sun 250', '250', null, 'sun'],
  ['25 000.00', '25000', null, ''],
])('%j is the amount %s in %s beside %j', (q, amount, currency, beside) => {
  expect(parseAmountSearch(q, ['HKD', 'USD'])).toEqual({ amount, currency, beside })
})

test.each(['', 'klook', 'sun250', '1.2.3', '2026-11-30', 'a b'])('%j has no amount', (q) => {
  expect(parseAmountSearch(q, ['HKD', 'USD'])).toBeNull()
})

test('the transactions of the open account are found by any text of theirs', async () => {
  await indexCharge({ id: 'own-1', cardLast4: '9876', description: 'Refund of a returned kettle' })
  expect(await kindsOf('returned ket', { cardAccountId: 'account-10' })).toContainEqual(
    expect.objectContaining({ kind: 'transaction', id: 'own-1', parentId: 'account-10' }),
  )
  expect(await kindsOf('9876', { cardAccountId: 'account-10' })).toContainEqual(
    expect.objectContaining({ id: 'own-1' }),
  )
})

test('finds a fee by its id', async () => {
  const [fee] = (await listFees('sandbox', {})).fees
  expect(await kindsOf(fee?.fee.id ?? '')).toContainEqual(
    expect.objectContaining({ kind: 'fee', id: fee?.fee.id, label: fee?.fee.intent }),
  )
})

test('finds a fee by an end of its id and by the external id of its transaction', async () => {
  const transaction = { id: 'ct_2', xid: 'NL-1007', cardAccountId: 'ca_1' }
  const fee = { id: 'fee_2-7f3a9c', transaction, amount: 59, currency: 'JPY', status: 'void', intent: 'annual' }
  await indexFees('sandbox', [fee as unknown as FeeEntry], new Date())
  for (const q of ['NL-1007', 'nl-1007', 'fee_2-7', '7f3a9c']) {
    expect(await kindsOf(q), q).toContainEqual(expect.objectContaining({ kind: 'fee', id: fee.id, hint: '59 JPY' }))
  }
  expect(await kindsOf('2-7f3a')).not.toContainEqual(expect.objectContaining({ kind: 'fee' }))
})

test('finds a webhook by a part of its address and an audit entry by a request id; a viewer finds no audit entry', async () => {
  const at = new Date()
  await desk.db.insert(watchedWebhooks).values({
    environment: 'sandbox',
    id: 'webhook-1',
    name: 'Ledger_sync',
    url: 'https://ledger.example.com/in',
    firstSeenAt: at,
    seenAt: at,
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

test('a request and an audit entry are found by the id of the request and by an end of it, as lists show it', async () => {
  const row = { endpoint: 'ping', method: 'GET', path: '/ping', durationMs: 1, attempts: 1, status: 200 }
  await desk.db.insert(serviceRequests).values({
    ...row,
    environment: 'sandbox',
    at: new Date(),
    requestId: '5a10be77-0000-4000-8000-00000000b994',
    consoleRequestId: 'e7c1be77-0000-4000-8000-0000000004f5',
  })
  for (const q of ['5a10be77-0000-4000-8000-00000000b994', '5a10', 'B994', '00b994', 'e7c1', '04f5']) {
    expect(await kindsOf(q), q).toContainEqual(expect.objectContaining({ kind: 'request', label: 'GET /ping' }))
  }
  const entry = { by: null, environment: 'sandbox' as const, target: null, outcome: 'done' as const }
  await recordAudit(desk.db, { ...entry, act: 'card.lock', requestId: '7c22be77-0000-4000-8000-00000000d41e' })
  await recordAudit(desk.db, {
    ...entry,
    act: 'card.unlock',
    details: { consoleRequestId: '9d3fbe77-0000-4000-8000-00000000e5a2' },
  })
  for (const [q, label] of [
    ['7c22', 'card.lock'],
    ['D41E', 'card.lock'],
    ['9d3fbe77-0000-4000-8000-00000000e5a2', 'card.unlock'],
    ['e5a2', 'card.unlock'],
  ] as const) {
    expect(await kindsOf(q), q).toContainEqual(expect.objectContaining({ kind: 'audit', label }))
  }
  for (const q of ['be77', '0000'])
    expect(
      (await kindsOf(q)).filter(({ kind }) => kind === 'request' || kind === 'audit'),
      q,
    ).toEqual([])
})

test('a card number is refused, and the service is called only for the statuses of a person’s cards', async () => {
  await expect(kindsOf('4242 4242 4242 4242')).rejects.toMatchObject({ code: 'CARD_NUMBER_REFUSED' })
  const { id } = await nameAccount('Statuses Chan')
  const [card] = await readCards('sandbox', id)
  desk.requests.clear()
  for (const q of ['Statuses Chan', id, card?.id ?? '', 'fee_2-7']) await kindsOf(q)
  expect([...desk.requests.keys()]).toEqual([])
  await kindsOf('Statuses Chan', { cards: 'yes' })
  expect([...desk.requests.keys()]).toEqual(['/cards'])
})
