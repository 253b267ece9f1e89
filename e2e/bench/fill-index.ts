import { setTimeout as delay } from 'node:timers/promises'
import { sql, type SQL } from 'drizzle-orm'
import { connect, type Database } from '#lib/db/connection.ts'
import { cardTerms } from '#lib/index/index-cards.ts'
import { runningDatabaseUrl } from '#lib/launch/database.ts'

const cardsAtOnce = 2000

export type FilledIndex = {
  /**
   * How many rows the index has of each kind, what they take on disk, and what writing them added to the write-ahead log; null where
   * the console wrote them beside other work.
   */
  tables: Record<keyof typeof tables, { rows: number; tableBytes: number; indexBytes: number; walBytes: number | null }>
  /** Records that the console's own reading brought in each second. */
  accountsPerSecond: number
  feesPerSecond: number
}

const tables = {
  accounts: 'index_accounts',
  cards: 'index_cards',
  transactions: 'index_transactions',
  fees: 'index_fees',
}

/** A connection to the embedded database of the server that runs on a folder. The caller ends it. */
export function openDatabase(dataDir: string): Database {
  return connect(runningDatabaseUrl(dataDir), { max: 1, name: 'bench' })
}

/**
 * Waits until the console has read every account and every fee, then writes cards and transactions into its index as their lists would
 * bring them, which takes hours under the rate limit.
 */
export async function fillIndex(db: Database): Promise<FilledIndex> {
  const began = performance.now()
  const secondsUntil = async (state: string) => {
    await until(db, `select count(as_of) > 0 as done from console.${state}`, 30 * 60_000)
    return (performance.now() - began) / 1000
  }
  const [ofAccounts, ofFees] = [secondsUntil('index_account_progress'), secondsUntil('index_fee_progress')]
  const seconds = { accounts: await ofAccounts, fees: await ofFees }
  const write = (statement: SQL) => throughDeadlocks(() => db.execute(statement))
  const wal: Partial<Record<keyof typeof tables, number>> = {}
  const walOf = async (kind: keyof typeof tables, statement: SQL) => {
    const { rows: before } = await db.execute<{ at: string }>(sql`select pg_current_wal_insert_lsn()::text as at`)
    await write(statement)
    const { rows: after } = await db.execute<{ bytes: string }>(
      sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), ${before[0]?.at}::pg_lsn) as bytes`,
    )
    wal[kind] = Number(after[0]?.bytes ?? 0)
  }
  await walOf(
    'transactions',
    sql`
    insert into console.index_transactions (environment, id, card_account_id, card_id, card_last4, card_embossed_name, xid,
      status, intent, entry_type, currency, amount, authorization_type, authorized_currency, authorized_amount, response_code,
      response_message, merchant_name, mcc, merchant_category, country, description, dispute_status, created_at, posted_at,
      dispute_opened_at, search_text, fee_read_at, read_at)
    select 'sandbox', id::text, card_account_id::text, card_id::text, card_last4, card_embossed_name, xid, status, intent,
      entry_type, currency, amount, a ->> 'type', a ->> 'currency', (a ->> 'amount')::numeric, a ->> 'responseCode',
      a ->> 'responseMessage', m ->> 'name', m ->> 'mcc', m ->> 'category', m ->> 'country', description, dispute_status,
      created_at, posted_at, case when dispute_status in ('requested', 'pending') then created_at end,
      lower(concat_ws(E'\n', m ->> 'name', description, card_embossed_name, card_last4, xid, ref_id, id)), now(), now()
    from (select *, "authorization" as a, merchant as m from service.card_account_transactions) as t
    order by id::text on conflict do nothing`,
  )
  await writeCardTerms(db)
  await walOf(
    'cards',
    sql`
    insert into console.index_cards (environment, id, card_account_id, status, last4, record, terms, account_limit,
      last_used_at, position, first_read_at, read_at)
    select 'sandbox', c.id::text, card_account_id::text, status, last4, jsonb_strip_nulls(jsonb_build_object(
        'id', c.id, 'cardAccountId', card_account_id, 'status', status, 'last4', last4, 'embossedName', embossed_name,
        'expiryMonth', expiry_month, 'expiryYear', expiry_year, 'product', jsonb_build_object('id', p.id, 'name', p.name),
        'cardLimit', card_limit, 'availableLimit', card_limit, 'mobile', mobile, 'cardEmail', card_email,
        'createdAt', to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
      (select terms from card_terms t where t.id = c.id::text),
      (select "limit" from console.index_accounts a
        where a.environment = 'sandbox' and a.id = card_account_id::text and a.account_type = 'credit'),
      (select max(t.created_at) from console.index_transactions t where t.environment = 'sandbox' and t.card_id = c.id::text),
      row_number() over (partition by card_account_id order by created_at desc, c.id), now(), now()
    from service.cards c join service.products p on p.id = product_id order by c.id::text
    on conflict do nothing`,
  )
  await write(sql`
    insert into console.index_transaction_progress (environment, card_account_id, is_whole, read_to, last_read_at)
    select environment, id, true, now(), now() + interval '1 day' from console.index_accounts on conflict do nothing`)
  await write(sql`
    update console.index_accounts set transactions_read_at = now() + interval '1 day', cards_read_at = now(),
      cards = (select count(*) from console.index_cards c where c.environment = a.environment and c.card_account_id = a.id),
      disputed_since = (select min(t.dispute_opened_at) from console.index_transactions t where t.environment = a.environment
        and t.card_account_id = a.id and t.dispute_status in ('requested', 'pending'))
    from console.index_accounts a where a.environment = index_accounts.environment and a.id = index_accounts.id`)
  const found = {} as FilledIndex['tables']
  for (const kind of Object.keys(tables) as (keyof typeof tables)[]) {
    const table = `console.${tables[kind]}`
    await db.execute(sql.raw(`vacuum (analyze) ${table}`))
    const { rows } = await db.execute<Record<'rows' | 'table_bytes' | 'index_bytes', string>>(
      sql.raw(
        `select count(*) as rows, pg_table_size('${table}') as table_bytes, pg_indexes_size('${table}') as index_bytes from ${table}`,
      ),
    )
    const [size] = rows
    found[kind] = {
      rows: Number(size?.rows ?? 0),
      tableBytes: Number(size?.table_bytes ?? 0),
      indexBytes: Number(size?.index_bytes ?? 0),
      walBytes: wal[kind] ?? null,
    }
  }
  return {
    tables: found,
    accountsPerSecond: found.accounts.rows / seconds.accounts,
    feesPerSecond: found.fees.rows / seconds.fees,
  }
}

/** The console goes on reading meanwhile, a few accounts at a time: where the two wait for one another, the database ends one of them. */
async function throughDeadlocks(write: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await write()
      return
    } catch (error) {
      if (!isDeadlock(error) || tries === 10) throw error
    }
  }
}

function isDeadlock(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === '40P01'
}

/** Puts the search terms that the console stores with a card into the temporary table `card_terms`, for the cards of the service. */
async function writeCardTerms(db: Database): Promise<void> {
  await db.execute(sql`create temporary table card_terms (id text primary key, terms tsvector)`)
  const { rows } = await db.execute<Parameters<typeof cardTerms>[0]>(
    sql`select id::text, xid, embossed_name as "embossedName", mobile, card_email as "cardEmail" from service.cards`,
  )
  for (let at = 0; at < rows.length; at += cardsAtOnce) {
    const batch = rows.slice(at, at + cardsAtOnce).map((card) => ({ id: card.id, terms: cardTerms(card) }))
    await db.execute(sql`
      insert into card_terms select id, terms::tsvector
      from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as given(id text, terms text)`)
  }
}

async function until(db: Database, question: string, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    const { rows } = await db.execute<{ done: boolean }>(sql.raw(question))
    if (rows[0]?.done) return
    await delay(250)
  }
  throw new Error(`This took more than ${timeoutMs / 60_000} minutes: ${question}`)
}
