import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { describeView } from '#components/embed/describe-view.ts'
import type { EmbedTarget, EmbedView } from '#lib/api/embed-view.ts'
import { freshenInBackground } from '#lib/index/freshness.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import { notes } from '#lib/tables/team.ts'
import { captureLog } from '../testing/capture-log.ts'
import { shareConsole } from '../testing/open-console.ts'
import { respondToTokenRequest } from './create-token.ts'
import { createEmbedKey } from './keys.ts'
import { respondToViewRequest } from './view.ts'

const desk = shareConsole({ seeded: 12 })
const origin = 'https://help.example.com'
let secret = ''

beforeEach(async () => {
  await freshenInBackground('sandbox')
})

type Created = { token: string; cardAccounts: number; code: string; message: string }

/** The response to a token request of a help desk's server. */
async function request(body: object): Promise<Created & { status: number }> {
  if (secret === '') {
    await desk.signIn('admin')
    const created = await createEmbedKey({ environment: 'sandbox', name: 'Zendesk' })
    await desk.signIn(null)
    if (created.kind === 'created') secret = created.secret
  }
  const response = await respondToTokenRequest(
    new Request('https://console.test/api/embed/tokens', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ environment: 'sandbox', type: 'customer', origin, ...body }),
    }),
  )
  return { status: response.status, ...((await response.json()) as Created) }
}

function read(token: string, target: Record<string, string> = {}): Promise<Response> {
  const search = new URLSearchParams({ environment: 'sandbox', type: 'customer', ...target })
  const headers = { authorization: `Bearer ${token}`, 'x-carddesk-host': origin }
  return respondToViewRequest(new Request(`https://console.test/api/embed/view?${search}`, { headers }), describeView)
}

async function viewOf(response: Response): Promise<EmbedView> {
  expect(response.status).toBe(200)
  return ((await response.json()) as { view: EmbedView }).view
}

const searchOf = ({ type, id, cardAccountId }: EmbedTarget): Record<string, string> => ({
  type,
  id,
  ...(cardAccountId === null ? {} : { cardAccountId }),
})

/** A card account with a declined transaction and an e-mail address of its own. */
async function findCustomer() {
  const { rows } = await desk.service.service.db.execute<{
    id: string
    xid: string
    phone: string
    email: string
    card: string
  }>(`
    select a.id, x.xid, a.phone_number as phone, c.card_email as email, c.id as card from service.card_accounts a
    join service.external_ids x on x.target_id = a.id join service.cards c on c.card_account_id = a.id
    where exists (select from service.card_account_transactions t where t.card_account_id = a.id and t.status = 'declined')
    order by a.id limit 1`)
  const [found] = rows
  if (!found) throw new Error('the seed has no such account')
  return found
}

const spellings = {
  'an external id': ({ xid }) => ({ xid }),
  'an e-mail address': ({ email }) => ({ email }),
  'an e-mail address in other letters': ({ email }) => ({ email: email.toUpperCase() }),
  'a phone number': ({ phone }) => ({ phone }),
  'a phone number with spaces': ({ phone }) => ({ phone: phone.replace(/^(\+\d{3})(\d{4})/, '$1 $2-') }),
  'a phone number without its country code': ({ phone }) => ({ phone: phone.slice(4) }),
  'a phone number among words': ({ phone }) => ({ phone: `Tel: ${phone.slice(4)} (mobile) ext 12` }),
  'a phone number with an abbreviated extension': ({ phone }) => ({ phone: `${phone} ext. 5` }),
  'a phone number with an extension': ({ phone }) => ({ phone: `${phone}, extension: 5` }),
  'a phone number with an extension in parentheses': ({ phone }) => ({ phone: `${phone} (x 5)` }),
  'a phone number behind a word that ends like an extension': ({ phone }) => ({ phone: `Fax ${phone.slice(4)}` }),
} satisfies Record<string, (customer: Awaited<ReturnType<typeof findCustomer>>) => object>

test.each(Object.entries(spellings))('a customer is found by %s when the token is made', async (_, name) => {
  const customer = await findCustomer()
  const created = await request(name(customer))
  expect(created).toMatchObject({ status: 201, cardAccounts: 1 })
  const view = await viewOf(await read(created.token))
  expect(view.href).toContain(customer.id)
})

test('a customer shows card accounts, cards, the last declines with their explanation, and ways between them', async () => {
  const { xid, id } = await findCustomer()
  const { token } = await request({ xid })
  const view = await viewOf(await read(token))
  expect(view.kind).toBe('Customer')
  const rowsOf = (title: RegExp, from = view) => from.lists.find((list) => title.test(list.title))?.rows ?? []
  expect(rowsOf(/accounts/)).toMatchObject([{ open: { type: 'card-account', id } }])
  expect(rowsOf(/^Cards/).length).toBeGreaterThan(0)
  const [decline] = rowsOf(/declines/)
  expect(decline).toMatchObject({ status: { label: 'Declined' }, open: { type: 'transaction', cardAccountId: id } })
  expect(decline?.detail).toMatch(/ · .*[a-z]{4}/)

  const inner = [...rowsOf(/accounts/), ...rowsOf(/^Cards/), ...rowsOf(/declines/)].flatMap(({ open }) => open ?? [])
  expect(new Set(inner.map(({ type }) => type)).size).toBe(3)
  for (const target of inner) {
    const opened = await viewOf(await read(token, searchOf(target)))
    expect(opened.type).toBe(target.type)
    expect(JSON.stringify(opened)).not.toMatch(/\+\d{8,}|[\w.]+@[\w.]+/)
  }
  const [card] = rowsOf(/^Cards/)
  const opened = await viewOf(await read(token, searchOf(card?.open ?? { type: 'card', id: '', cardAccountId: id })))
  expect(opened.facts.find(({ label }) => label === 'Card account')?.open).toEqual({
    type: 'card-account',
    id,
    cardAccountId: null,
  })
})

test('open cases are disputed transactions, and changes that wait', async () => {
  const { rows } = await desk.service.service.db.execute<{ id: string }>(`
    select card_account_id as id from service.card_account_transactions where dispute_status in ('requested', 'pending') limit 1`)
  const id = rows[0]?.id ?? ''
  const now = new Date()
  await desk.db.insert(operations).values({
    id: randomUUID(),
    environment: 'sandbox',
    kind: 'account.set-limit',
    staffId: randomUUID(),
    staffName: 'Olive',
    staffRole: 'operations',
    targetType: 'cardaccount',
    targetId: id,
    endpoint: 'setFixedLimit',
    contentDigest: 'digest',
    holdsSecret: false,
    state: 'waiting',
    createdAt: now,
    leaseUntil: now,
    leaseHolder: randomUUID(),
  })
  await desk.db.insert(notes).values({
    id: randomUUID(),
    environment: 'sandbox',
    targetType: 'cardaccount',
    targetId: id,
    text: 'After 18:00',
    staffId: randomUUID(),
    staffName: 'Help desk',
    staffRole: 'help desk',
    ticketOrigin: { ticket: '4711', agent: 'Ann' },
    createdAt: new Date(now.getTime() - 1000),
  } as unknown as typeof notes.$inferInsert)
  const { token } = await request({ id })
  const view = await viewOf(await read(token))
  expect(view.status).toMatchObject({ label: expect.stringMatching(/^\d+ open cases$/) as string, tone: 'warn' })
  const [waiting, callBack, disputed] = view.lists.find(({ title }) => title === 'Open cases')?.rows ?? []
  expect(waiting).toMatchObject({ title: 'Set fixed limit', status: { label: 'Waits for approval' } })
  expect(callBack).toMatchObject({ title: 'Call back', status: { label: 'Waits for Operations' } })
  expect(disputed?.status.label).toMatch(/^Disput/)
  expect(JSON.stringify(view)).not.toContain('Olive')
})

test('a customer’s token opens no other account, card, transaction or payout', async () => {
  const { xid, id } = await findCustomer()
  const { token } = await request({ xid })
  const { rows } = await desk.service.service.db.execute<{ account: string; card: string; transaction: string }>(`
    select t.card_account_id as account, t.card_id as card, t.id as transaction from service.card_account_transactions t
    where t.card_account_id <> '${id}' and t.card_id is not null order by t.id limit 1`)
  const payouts = await desk.service.service.db.execute<{ id: string }>('select id from service.payouts limit 1')
  const { account = '', card = '', transaction = '' } = rows[0] ?? {}
  const others: Record<string, string>[] = [
    { type: 'customer', id: account },
    { type: 'card-account', id: account },
    { type: 'card', id: card, cardAccountId: account },
    { type: 'card', id: card },
    { type: 'card', id: card, cardAccountId: id },
    { type: 'transaction', id: transaction, cardAccountId: account },
    { type: 'transaction', id: transaction, cardAccountId: id },
    { type: 'payout', id: payouts.rows[0]?.id ?? '' },
    { type: 'card-account', id, environment: 'production' },
    { type: 'card-account' },
    { type: 'nonsense', id },
  ]
  for (const target of others) {
    const response = await read(token, target)
    expect([403, 404], JSON.stringify(target)).toContain(response.status)
    expect(Object.keys((await response.json()) as object)).toEqual(['code', 'message', 'requestId'])
  }
  expect((await read(token, { type: 'card-account', id })).status).toBe(200)
})

test('the token of a single card account opens nothing else, and shows no ways', async () => {
  const { id, card } = await findCustomer()
  const { token } = await request({ type: 'card-account', id })
  const view = await viewOf(await read(token, { type: 'card-account', id }))
  expect(JSON.stringify(view)).not.toContain('"open"')
  expect((await read(token, { type: 'card', id: card, cardAccountId: id })).status).toBe(403)
  expect((await read(token, { type: 'customer', id })).status).toBe(403)
})

test('nobody, one and several are said; no message, log or audit entry repeats what was looked for', async () => {
  const log = captureLog()
  const { db } = desk
  expect(await request({ email: 'nobody@example.com' })).toMatchObject({
    status: 404,
    code: 'CUSTOMER_NOT_FOUND',
    message: 'No card account has this e-mail address.',
  })
  const phone = '+85261112222'
  const rows = await db
    .select({ id: indexedAccounts.id, phoneNumber: indexedAccounts.phoneNumber })
    .from(indexedAccounts)
    .where(eq(indexedAccounts.environment, 'sandbox'))
  onTestFinished(async () => {
    for (const { id, phoneNumber } of rows) {
      await db.update(indexedAccounts).set({ phoneNumber }).where(eq(indexedAccounts.id, id))
    }
  })
  const share = (count: number) =>
    db
      .update(indexedAccounts)
      .set({ phoneNumber: phone })
      .where(
        inArray(
          indexedAccounts.id,
          rows.slice(0, count).map(({ id }) => id),
        ),
      )
  await share(2)
  expect(await request({ phone })).toMatchObject({ status: 201, cardAccounts: 2 })
  const entries = await db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.act, 'embed.create'), eq(auditEntries.comment, `for ${origin}, found by phone`)))
    .orderBy(sql`number desc`)
    .limit(2)
  expect(entries.map(({ targetId }) => targetId).toSorted()).toEqual(
    rows
      .slice(0, 2)
      .map(({ id }) => id)
      .toSorted(),
  )
  expect(await request({ phone, type: 'card-account' })).toMatchObject({
    status: 409,
    code: 'CUSTOMER_AMBIGUOUS',
    message: '2 card accounts have this phone number. Request the type customer, or name the id.',
  })
  await share(rows.length)
  const many = await request({ phone })
  expect(many).toMatchObject({ status: 409, code: 'CUSTOMER_AMBIGUOUS' })
  expect(many.message).toContain(`${rows.length} card accounts have this phone number.`)
  expect(log()).not.toMatch(/nobody@|6111/)
  expect(JSON.stringify(await db.select().from(auditEntries))).not.toMatch(/nobody@|6111/)
})

test('an e-mail address leads to every card account with such a card', async () => {
  const email = 'shared@acme.example'
  const cards = await desk.db.selectDistinctOn([indexedCards.cardAccountId]).from(indexedCards).limit(2)
  onTestFinished(async () => {
    for (const { id, record } of cards) {
      await desk.db.update(indexedCards).set({ record }).where(eq(indexedCards.id, id))
    }
  })
  for (const { id, record } of cards) {
    await desk.db
      .update(indexedCards)
      .set({ record: { ...record, cardEmail: email } })
      .where(eq(indexedCards.id, id))
  }
  expect(await request({ email })).toMatchObject({ status: 201, cardAccounts: 2 })
})

test.each([
  [{}, 'id must be given alone, or one of xid, email, phone instead'],
  [{ xid: 'a', email: 'a@b.example' }, 'id must be given alone, or one of xid, email, phone instead'],
  [{ type: 'card', xid: 'a', cardAccountId: 'a' }, 'id must be given: only customers and card accounts are looked up'],
  [{ email: 'nobody', ticket: '4111 1111 1111 1111' }, 'ticket must not hold a card number'],
  [{ phone: 'call me', environment: 'production' }, 'environment must be sandbox: the key is for no other'],
])('a token request that names %o is refused', async (body, message) => {
  expect(await request(body)).toMatchObject({ status: 400, code: 'INVALID_PARAMETERS', message })
})

test.each([
  [{ phone: 'call me' }, 'phone must be a phone number of 7 to 15 digits behind any zeros'],
  [{ email: 'nobody' }, 'email must be an e-mail address'],
  [{ xid: ' ' }, 'xid must not be empty'],
])('%o finds nobody', async (body, message) => {
  expect(await request(body)).toMatchObject({ status: 404, code: 'CUSTOMER_NOT_FOUND', message })
})

test('a customer whose card accounts the service does not have is not found', async () => {
  const { token } = await request({ id: randomUUID() })
  expect((await read(token)).status).toBe(404)
})
