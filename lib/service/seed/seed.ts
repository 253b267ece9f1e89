import { setImmediate } from 'node:timers/promises'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { PoolClient } from 'pg'
import { insertRows } from '#lib/db/bulk-rows.ts'
import type { Database, Transaction } from '#lib/db/connection.ts'
import { inUnlimitedTransaction, transactionOn } from '#lib/db/transaction.ts'
import { lockTables } from '../lock-tables.ts'
import { products as productTable } from '../tables/cards.ts'
import { type AccountRows, accountTables, addAccountRows } from './account-rows.ts'
import { insertFunding } from './funding.ts'
import { generateAccount } from './generated-accounts.ts'
import { handwrittenAccounts } from './handwritten-accounts.ts'
import type { AccountPlan } from './plan.ts'
import { products } from './products.ts'
import { namesIn } from './seed-file.ts'
import { withoutIndexes } from './without-indexes.ts'

type SeedOptions = {
  cardAccounts: number
  /** The sandbox clock: every date of the seed counts back from here. */
  now: Date
  /** 32 bytes: seals the card numbers. */
  cardNumberKey: Buffer
  /** Where the console receives events; it is the seed's one webhook. */
  consoleInboxUrl?: string | undefined
  /** Where the sandbox clock starts; real time without it. */
  startsAt?: Date | null
  /** Accounts of one's own, behind the others. */
  ownAccounts?: readonly AccountPlan[]
}

const seedLock = `hashtextextended('service.seed', 7263002)`
const accountsPerBatch = 400
/** Planning lets other work of the process run after this many accounts. */
const accountsPerTurn = 20
/** From this many accounts on, rebuilding the indexes is faster than updating them row by row. */
const manyAccounts = 4000
const largeTables = ['card_accounts', 'cards', 'card_account_transactions', 'fees']

/**
 * Fills an empty service with its deterministic demonstration data, in one transaction. Does nothing where the service
 * is seeded already; processes that start together take turns. Accounts are plans in one form, and `addAccountRows` makes the rows of
 * each: those that tests and pictures name are written out, those that are there for their number are generated. Payouts and the
 * ledger of funding accounts share no field with them, so they have plans of their own. Returns whether it was empty.
 */
export async function seedService(db: Database, options: SeedOptions): Promise<boolean> {
  return inOneTransaction(db, (client) => seed(client, options))
}

/** Back to the seed, for everybody at one moment. */
export async function resetService(db: Database, options: SeedOptions): Promise<void> {
  await inOneTransaction(db, async (client) => {
    await clear(client)
    await seed(client, options)
  })
}

/** Fills empty tables in the transaction of `client`. Returns whether they were empty. */
export async function seed(client: PoolClient, options: SeedOptions): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from service.products limit 1')
  if (rowCount) return false
  if (options.startsAt) await startClock(client, options.startsAt)
  const tx = transactionOn(client)
  await insertRows(tx, productTable, Object.values(products))
  const insertAccounts = () => insertCardAccounts(tx, options, { from: 0, to: options.cardAccounts })
  if (options.cardAccounts < manyAccounts) {
    await insertAccounts()
  } else {
    await withoutIndexes(client, largeTables, insertAccounts)
    await client.query(`analyze ${largeTables.map((table) => `service.${table}`).join(', ')}`)
  }
  await insertFunding(tx, options)
  const { ownAccounts = [], cardAccounts } = options
  if (ownAccounts.length > 0) {
    await requireFreeNames(client, ownAccounts)
    await insertCardAccounts(tx, options, { from: cardAccounts, to: cardAccounts + ownAccounts.length })
  }
  return true
}

const nameColumns = { account: 'card_accounts.id', card: 'cards.id', xid: 'external_ids.xid' } as const

/** Throws an `Error` with a line for each id and xid of an own account that the demonstration data have. */
async function requireFreeNames(client: PoolClient, ownAccounts: readonly AccountPlan[]): Promise<void> {
  const names = namesIn(ownAccounts)
  const mistakes: string[] = []
  for (const [kind, column] of Object.entries(nameColumns)) {
    const given = names.filter((one) => one.kind === kind)
    const [table, field] = column.split('.')
    const { rows } = await client.query<{ name: string }>(
      `select ${field}::text as name from service.${table} where ${field}::text = any($1)`,
      [given.map(({ name }) => name)],
    )
    const taken = new Set(rows.map(({ name }) => name))
    for (const { name, path } of given.filter((one) => taken.has(one.name))) {
      mistakes.push(
        `${path.join('.')}: ${name} is that of a demonstration record; choose another, or DEMO_CARD_ACCOUNTS=0`,
      )
    }
  }
  if (mistakes.length > 0) throw new Error(`SANDBOX_SEED_FILE: ${mistakes.join('\n')}`)
}

/** Puts the sandbox clock at an instant, from which it runs on. */
async function startClock(client: PoolClient, at: Date): Promise<void> {
  await client.query(
    `insert into service.clock (id, offset_ms)
     values (1, $1::bigint - floor(extract(epoch from clock_timestamp()) * 1000)::bigint)
     on conflict (id) do update set offset_ms = excluded.offset_ms`,
    [at.getTime()],
  )
}

/** Plans the next batch while the database writes the one before. */
async function insertCardAccounts(
  tx: Transaction,
  options: SeedOptions,
  { from, to }: { from: number; to: number },
): Promise<void> {
  let written = Promise.resolve()
  for (let start = from; start < to; start += accountsPerBatch) {
    const rows: AccountRows = { accounts: [], cards: [], transactions: [], fees: [], externalIds: [], dueWork: [] }
    const end = Math.min(start + accountsPerBatch, to)
    const planned = planAccounts(rows, { ...options, start, end })
    await Promise.all([planned, written])
    written = insertAccountRows(tx, rows)
  }
  await written
}

async function planAccounts(rows: AccountRows, part: SeedOptions & { start: number; end: number }): Promise<void> {
  for (let place = part.start; place < part.end; place++) {
    if (place % accountsPerTurn === 0) await setImmediate()
    const own = place < part.cardAccounts ? undefined : part.ownAccounts?.[place - part.cardAccounts]
    addAccountRows(rows, own ?? handwrittenAccounts[place] ?? generateAccount(place), place, part)
  }
}

async function insertAccountRows(tx: Transaction, rows: AccountRows): Promise<void> {
  for (const [name, table] of Object.entries(accountTables)) {
    await insertRows<PgTable>(tx, table, rows[name as keyof AccountRows])
  }
}

/**
 * `access_keys` and `service_keys` stay: callers and verifiers of deliveries keep what they have. `used_tokens` stay too:
 * the token of the reset itself must not be accepted again. The request log stays, so that it shows what led to the reset.
 * Events and attempts are numbered on, so that who reads them by their positions misses none.
 */
async function clear(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string; isNumberedOn: boolean }>(
    `select oid::regclass::text as name, relname in ('events', 'webhook_attempts') as "isNumberedOn" from pg_class
      where relnamespace = 'service'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in ('access_keys', 'service_keys', 'used_tokens', 'request_log') order by 1`,
  )
  const named = (isNumberedOn: boolean) =>
    rows.filter((row) => row.isNumberedOn === isNumberedOn).map(({ name }) => name)
  await lockTables(
    client,
    rows.map(({ name }) => name),
  )
  await client.query(`truncate ${named(false).join(', ')} restart identity`)
  await client.query(`truncate ${named(true).join(', ')}`)
}

async function inOneTransaction<Result>(db: Database, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  return inUnlimitedTransaction(db, async (client) => {
    await client.query(`select pg_advisory_xact_lock(${seedLock})`)
    return work(client)
  })
}
