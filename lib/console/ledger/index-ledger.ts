import 'server-only'
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { AccountTransaction } from '#lib/contract/records.ts'
import { selectRows } from '#lib/db/bulk-rows.ts'
import { database } from '#lib/db/connection.ts'
import { amountText, columnText, parseInstant } from '#lib/index/column-values.ts'
import { defineIndex, isSmall } from '#lib/index/define-index.ts'
import { listFreshness } from '#lib/index/list-freshness.ts'
import { storedRecords, toSearchText, unlessNewer } from '#lib/index/stored-records.ts'
import { maskCardNumbers } from '#lib/shared/card-numbers.ts'
import { isServiceId } from '#lib/shared/ids.ts'
import { amount } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { indexedLedger as ledger, ledgerProgress } from '#lib/tables/ledger.ts'
import { type FindAccountId, readEntryAccounts } from './entry-accounts.ts'

/** Fields that may hold the card number of a payout's beneficiary, of which only the last four digits are stored. */
const maskedFields = ['accountNumber', 'fromAccountNumber', 'toAccountNumber'] as const

function entryAsStored(entry: AccountTransaction): AccountTransaction {
  const masked = maskedFields.map((name) => [name, entry[name] && maskCardNumbers(entry[name])])
  return storable({ ...entry, ...Object.fromEntries(masked) }) as AccountTransaction
}

/** Counts from 1. */
function countUp(counts: Map<string, number>, what: string): number {
  const count = (counts.get(what) ?? 0) + 1
  counts.set(what, count)
  return count
}

/**
 * The id of an entry's row: that of the service. An entry without one is known by what stays the same when it is posted or voided, and
 * equal ones by their number in the list.
 */
function rowId(entry: AccountTransaction, counts: Map<string, number>): string {
  const { id, accountNumber, accountLabel, intentId, intent, amount, asset, createdAt, time } = entry
  if (id !== null && isServiceId(id)) return id
  const fixed = [accountNumber ?? accountLabel, intentId, intent, amount, asset, createdAt ?? time]
  const key = `entry-${createHash('sha256').update(JSON.stringify(fixed)).digest('base64url').slice(0, 22)}`
  return `${key}-${countUp(counts, key)}`
}

/** The columns of an entry's row, null where the service did not provide the value or it does not fit. */
function entryColumns(entry: AccountTransaction, counts: Map<string, number>, findAccountId: FindAccountId) {
  const record = entryAsStored(entry)
  const time = parseInstant(entry.time) ?? parseInstant(entry.createdAt)
  const before = time && countUp(counts, time.toISOString())
  const { id, intent, intentId, intentRefId, xid, description, accountLabel, fromAccountLabel, toAccountLabel } = record
  return {
    id: rowId(entry, counts),
    accountId: columnText(findAccountId(entry)),
    intent: columnText(intent),
    status: columnText(record.status),
    currency: columnText(record.asset),
    amount: amountText(record.amount),
    time,
    position:
      time &&
      amount(time.getTime())
        .minus(amount(before ?? 0).times('1e-8'))
        .toFixed(),
    searchText: toSearchText([
      description,
      accountLabel,
      fromAccountLabel,
      toAccountLabel,
      id,
      intent,
      intentId,
      intentRefId,
      xid,
    ]),
    record: record as Record<string, unknown>,
  }
}

export const ledgerIndex = defineIndex({
  endpoint: 'listAccountTransactions',
  title: 'ledger',
  state: ledgerProgress,
  table: ledger,
  async store(environment, { response: { transactions }, fetchedAt }, reading, counts) {
    const findAccountId = await readEntryAccounts(environment, transactions)
    const columns = transactions.map((entry) => entryColumns(entry, counts, findAccountId))
    const rows = storedRecords(columns).stored.map((row) => ({ ...row, environment, readAt: fetchedAt, reading }))
    if (rows.length > 0)
      await database().insert(ledger).select(selectRows(ledger, rows)).onConflictDoUpdate(unlessNewer(ledger, rows))
    return 0
  },
})

/** Reads the ledger again where an event of a funding account or a payout came in after the newest entry was read. */
async function readAfterEvents(environment: Environment): Promise<void> {
  const { rows } = await database().execute(sql`
    select from ${inboxEvents} where environment = ${environment} and (event like 'account.%' or event like 'payout.%')
      and received_at > greatest((select as_of from ${ledgerProgress} where environment = ${environment}),
        (select read_at from ${ledger} where environment = ${environment} and position is not null order by position desc limit 1))
    limit 1`)
  if (rows.length === 0) return
  await (isSmall(await ledgerIndex.readState(environment)) ? ledgerIndex.readAll : ledgerIndex.readNewest)(environment)
}

/** The ledger is read again whole where it is short, and its newest page where it is long. */
export const ledgerFreshness = listFreshness('ledger', ledgerIndex, { readDue: readAfterEvents })
