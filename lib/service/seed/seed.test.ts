import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardStatuses } from '#lib/contract/terms.ts'
import { transactionIntents, transactionStatuses } from '#lib/contract/terms.ts'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import type { Database } from '#lib/db/connection.ts'
import { openTestDatabase, testDatabase } from '#lib/db/testing.ts'
import { isLuhnValid, openCardNumber } from '../card-number.ts'
import { resetService, seedService } from './seed.ts'

const cardNumberKey = Buffer.alloc(32, 7)
const now = new Date('2026-11-21T06:32:08.000Z')
const options = {
  cardAccounts: 60,
  now,
  cardNumberKey,
  consoleInboxUrl: 'http://127.0.0.1:3000/api/webhooks/inbox/sandbox',
}

let db: Database
let close: () => Promise<void>

beforeAll(async () => {
  ;({ db, close } = await openTestDatabase())
  await seedService(db, options)
})

afterAll(() => close())

async function column(query: string, database: Database = db): Promise<unknown[]> {
  const { rows } = await database.execute<{ value: unknown }>(sql.raw(query))
  return rows.map((row) => row.value)
}

async function one(query: string, database: Database = db): Promise<unknown> {
  return (await column(query, database))[0]
}

test('every balance is opening + DEBIT − CREDIT over what is neither void nor declined', async () => {
  const wrong = await column(`
    select name as value from service.card_accounts a where balance <> opening_balance + coalesce((
      select sum(case entry_type when 'DEBIT' then amount else -amount end)
        from service.card_account_transactions t
       where t.card_account_id = a.id and t.status in ('pending', 'posted')), 0)`)
  expect(wrong).toEqual([])
})

test('every disputed amount is the sum of what is requested or pending', async () => {
  const wrong = await column(`
    select name as value from service.card_accounts a where dispute_amount <> coalesce((
      select sum(amount) from service.card_account_transactions t
       where t.card_account_id = a.id and t.dispute_status in ('requested', 'pending')), 0)`)
  expect(wrong).toEqual([])
})

test('no charge was declined by a limit that it does not exceed', async () => {
  const limits = {
    'single transaction limit': 'single_transaction_limit',
    'card-not-present limit': 'card_not_present_limit',
  }
  const declined = await column(`
    select t.authorization ->> 'responseMessage' as value from service.card_account_transactions t
     where status = 'declined' and t.authorization ->> 'responseCode' = '61'`)
  expect(declined.length).toBeGreaterThan(1)
  expect(Object.keys(limits)).toEqual(
    expect.arrayContaining(declined.map((text) => String(text).replace('Exceeds the ', ''))),
  )
  for (const [name, limit] of Object.entries(limits)) {
    const wrong = await column(`
      select t.amount || ' of ' || c.${limit} as value from service.card_account_transactions t join service.cards c on c.id = t.card_id
       where t.status = 'declined' and t.authorization ->> 'responseMessage' = 'Exceeds the ${name}' and t.amount <= c.${limit}`)
    expect(wrong, name).toEqual([])
  }
})

test('no charge was declined for a balance that covered it', async () => {
  const declined = await column(`
    select a.name || ' ' || t.amount || ' ' || (a.opening_balance + a."limit" + coalesce((
      select sum(case e.entry_type when 'DEBIT' then e.amount else -e.amount end)
        from service.card_account_transactions e
       where e.card_account_id = a.id and e.status in ('pending', 'posted') and e.created_at <= t.created_at), 0) >= t.amount) as value
      from service.card_account_transactions t join service.card_accounts a on a.id = t.card_account_id
     where t.status = 'declined' and t.authorization ->> 'responseMessage' = 'Insufficient available balance'`)
  expect(declined.length).toBeGreaterThan(1)
  expect(declined.filter((one) => String(one).endsWith('true'))).toEqual([])
})

test('no account ever spends what it does not have', async () => {
  const wrong = await column(`
    select name || ' ' || running as value from (
      select a.name, a."limit", a.account_type, sum(case when t.status in ('pending', 'posted')
        then case t.entry_type when 'DEBIT' then t.amount else -t.amount end else 0 end)
        over (partition by a.id order by t.created_at, t.id) as running
      from service.card_accounts a join service.card_account_transactions t on t.card_account_id = a.id) s
    where running < -"limit"`)
  expect(wrong).toEqual([])
})

test('the drawn accounts have the drawn figures', async () => {
  const { rows } = await db.execute(sql`
    select name, balance::numeric(20, 2)::text as balance, dispute_amount::numeric(20, 2)::text as disputed,
           (select count(*)::int from service.cards where card_account_id = a.id) as cards
      from service.card_accounts a order by created_at desc limit 10`)
  expect(rows).toEqual([
    { name: 'Chan Tai Man 陳大文', balance: '-12480.50', disputed: '0.00', cards: 2 },
    { name: 'Meridian Travel Ltd', balance: '48210.00', disputed: '0.00', cards: 5 },
    { name: 'Lee Ka Yan 李嘉欣', balance: '-3905.00', disputed: '1250.00', cards: 1 },
    { name: 'Rahul Mehta', balance: '-640.18', disputed: '0.00', cards: 1 },
    { name: 'Kwok Wing Sze 郭詠詩', balance: '8120.00', disputed: '0.00', cards: 0 },
    { name: 'Siti Rahmawati', balance: '-2210.75', disputed: '310.00', cards: 2 },
    { name: 'Wong Chi Fung 黃志峰', balance: '0.00', disputed: '0.00', cards: 3 },
    { name: 'Kim Seo-yeon', balance: '1904.33', disputed: '0.00', cards: 1 },
    { name: 'Ho Mei Ling 何美玲', balance: '-19870.00', disputed: '0.00', cards: 1 },
    { name: 'Daniel Reyes', balance: '-88.20', disputed: '0.00', cards: 2 },
  ])
})

test('a seed of no accounts has two funding accounts with all of their money, and nothing else', async () => {
  const database = await testDatabase()
  await seedService(database, { ...options, cardAccounts: 0 })
  const { rows } = await database.execute(sql`
    select a.currency, (a.balance = a.available)::text as whole, (select e.balance = a.balance from service.account_transactions e where e.account_id = a.id) as entry,
           (select count(*)::int from service.payouts) as payouts, (select count(*)::int from service.due_work) as due
      from service.accounts a order by a.currency`)
  expect(rows).toEqual(['HKD', 'USD'].map((currency) => ({ currency, whole: 'true', entry: true, payouts: 0, due: 0 })))
  const all = await db.execute(sql`select available::text from service.accounts order by currency`)
  const alone = await database.execute(sql`select available::text from service.accounts order by currency`)
  expect(alone.rows).toEqual(all.rows)
})

test.each([60, 10])('%i accounts have every status, intent and dispute status', async (cardAccounts) => {
  const database = cardAccounts === 60 ? db : await testDatabase()
  if (cardAccounts !== 60) await seedService(database, { ...options, cardAccounts })
  const distinct = (expression: string, table: string) =>
    column(`select distinct ${expression} as value from service.${table}`, database)
  const transactions = 'card_account_transactions'
  expect(new Set(await distinct('status', transactions))).toEqual(new Set(transactionStatuses))
  expect(new Set(await distinct('intent', transactions))).toEqual(new Set(transactionIntents))
  expect(new Set(await distinct('dispute_status', transactions))).toEqual(new Set([...disputeStatuses, null]))
  expect(new Set(await distinct('status', 'cards'))).toEqual(new Set(cardStatuses))
  expect(new Set(await distinct('status', 'fees'))).toEqual(new Set(['pending', 'posted', 'void']))
  expect(new Set(await distinct('currency', 'card_accounts'))).toEqual(new Set(['HKD', 'USD']))
  expect(new Set(await distinct('account_type', 'card_accounts'))).toEqual(new Set(['prepaid', 'credit']))
  expect(new Set(await distinct('client_identity_status', 'card_accounts'))).toEqual(
    new Set(['pending', 'approved', 'rejected']),
  )
  for (const key of ['department', 'region']) {
    const groups = await distinct(`xmetadata->>'${key}'`, 'card_accounts')
    expect(groups.filter((group) => group !== null).length).toBeGreaterThanOrEqual(3)
  }
  expect(await one('select count(xid)::int as value from service.card_accounts', database)).toBeGreaterThan(0)
  expect(await one('select count(replaced_by)::int as value from service.cards', database)).toBeGreaterThan(0)
})

test('payouts are in four known statuses, and in one unknown status and sub-status', async () => {
  const statuses = await column('select distinct status as value from service.payouts')
  const known = ['requested', 'processing', 'completed', 'cancelled', 'failed']
  expect(statuses.filter((status) => known.includes(String(status))).length).toBeGreaterThanOrEqual(4)
  expect(statuses.filter((status) => !known.includes(String(status)))).toHaveLength(1)
  expect(await column('select distinct sub_status as value from service.payouts')).toContain(
    'AWAITING_LOCAL_CLEARING_WINDOW',
  )
})

test('funding accounts have balance = what is posted, available = balance less what is pending out', async () => {
  const { rows } = await db.execute(sql`
    select a.name, a.balance = sum(t.amount) filter (where t.status = 'posted') as "isBalanceTrue",
           a.available = a.balance + coalesce(sum(t.amount) filter (where t.status = 'pending' and t.amount < 0), 0)
             as "isAvailableTrue",
           bool_and((t.balance is null) = (t.status <> 'posted')) as "hasBalanceWhenPosted",
           count(distinct t.status)::int as statuses
      from service.accounts a join service.account_transactions t on t.account_id = a.id
     group by a.id order by a.name`)
  const truth = { isBalanceTrue: true, isAvailableTrue: true, hasBalanceWhenPosted: true, statuses: 3 }
  expect(rows).toEqual([
    { name: 'HKD operating account', ...truth },
    { name: 'USD settlement account', ...truth },
  ])
})

test('what is pending is on the calendar, nothing of it in the past', async () => {
  const pending = await column(`select id as value from service.card_account_transactions where status = 'pending'`)
  const captures = await column(`select subject as value from service.due_work where kind = 'capture-transaction'`)
  expect(new Set(captures)).toEqual(new Set(pending))
  expect(await one('select min(due_at) as value from service.due_work')).toSatisfy(
    (dueAt) => new Date(String(dueAt)).getTime() > now.getTime(),
  )
})

test('card numbers are Luhn-valid, differ, and are sealed', async () => {
  const { rows } = await db.execute<{ id: string; last4: string; sealed_number: Buffer }>(
    sql`select id, last4, sealed_number from service.cards`,
  )
  const numbers = rows.map((card) => openCardNumber(card.sealed_number, card.id, cardNumberKey))
  expect(numbers.every((number) => isLuhnValid(number) && /^9999\d{12}$/.test(number))).toBe(true)
  expect(new Set(numbers).size).toBe(rows.length)
  expect(numbers.map((number) => number.slice(-4))).toEqual(rows.map((card) => card.last4))
  expect(rows.some((card) => card.sealed_number.includes(card.last4))).toBe(false)
})

test('seeding again, also by two at once, changes nothing, and another database gets the same', async () => {
  const other = await testDatabase()
  await Promise.all([seedService(other, options), seedService(other, options)])
  await seedService(other, { ...options, now: new Date() })
  const everything = `select md5(string_agg(t::text, '|' order by id)) as value from service.`
  for (const table of ['card_accounts', 'card_account_transactions', 'fees', 'payouts', 'account_transactions']) {
    expect(await one(`${everything}${table} t`, other), table).toBe(await one(`${everything}${table} t`))
  }
})

test('a reset seeds again and leaves the service’s own keys', async () => {
  const other = await testDatabase()
  await seedService(other, options)
  await other.execute(sql`insert into service.service_keys values ('page-tokens', 'x')`)
  await resetService(other, { ...options, cardAccounts: 12 })
  expect(await one('select count(*)::int as value from service.service_keys', other)).toBe(1)
  expect(await one('select count(*)::int as value from service.card_accounts', other)).toBe(12)
})
