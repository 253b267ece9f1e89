import 'server-only'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { FeeEntry } from '#lib/contract/records.ts'
import { selectRows } from '#lib/db/bulk-rows.ts'
import { database, indexDatabase } from '#lib/db/connection.ts'
import { fetchPages } from '#lib/environments/paginate.ts'
import { columnText, amountText, parseInstant } from '#lib/index/column-values.ts'
import { fetchIndexed, defineIndex, forgetRow } from '#lib/index/define-index.ts'
import { storedRecords, toSearchText, unlessNewer } from '#lib/index/stored-records.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import { feeProgress, indexedFees as fee } from '#lib/tables/fees.ts'
import { feeCardAccountId, balanceChange } from './fee-record.ts'

/** The columns of a fee's row, null where the service did not provide the value or it does not fit. */
function feeColumns(record: FeeEntry) {
  const { id, intent, transaction } = record
  const charged = transaction && 'merchant' in transaction ? [transaction.refId, transaction.cardLast4] : []
  const label = transaction && 'accountLabel' in transaction ? transaction.accountLabel : null
  const searched = [
    id,
    intent,
    intent?.replaceAll('-', ' '),
    transaction?.id,
    transaction?.xid,
    transaction?.description,
    ...charged,
    feeCardAccountId(record),
    label,
  ]
  return {
    id,
    cardAccountId: columnText(feeCardAccountId(record)),
    transactionId: columnText(transaction?.id),
    transactionXid: columnText(transaction?.xid),
    transactionStatus: columnText(transaction?.status),
    intent: columnText(intent),
    status: columnText(record.status),
    currency: columnText(record.currency),
    amount: amountText(record.amount),
    change: amountText(balanceChange(record)?.toNumber()),
    createdAt: parseInstant(record.createdAt),
    searchText: toSearchText(searched),
    record: storable(record) as Record<string, unknown>,
  }
}

/**
 * Writes fees as the service provided them. Returns how many were left out because their id cannot be used. `fetchedAt` is when the
 * request left: the response to an earlier request never replaces that to a later one.
 */
export async function indexFees(
  environment: Environment,
  fees: readonly FeeEntry[],
  fetchedAt: Date,
  reading = 0,
): Promise<number> {
  const { stored, excluded } = storedRecords(fees)
  const rows = stored.map((record) => ({ ...feeColumns(record), environment, readAt: fetchedAt, reading }))
  if (rows.length > 0) {
    const { set, ...conflict } = unlessNewer(fee, rows)
    await database()
      .insert(fee)
      .select(selectRows(fee, rows, { accountText: textOfAccount }))
      .onConflictDoUpdate({ ...conflict, set: { ...set, accountText: sql`excluded.account_text` } })
    await noteWrite(environment)
  }
  return excluded
}

/** Called behind a write of fees, before anybody hears of it. */
async function noteWrite(environment: Environment): Promise<void> {
  const writes = sql`${feeProgress.writes} + 1`
  await database()
    .insert(feeProgress)
    .values({ environment, writes: 1 })
    .onConflictDoUpdate({ target: feeProgress.environment, set: { writes } })
}

/** Another text after every change of the fees' rows, but for that of their accounts' texts. */
export async function readFeesVersion(environment: Environment): Promise<string> {
  const state = await indexDatabase()
    .select({ writes: feeProgress.writes, asOf: feeProgress.asOf })
    .from(feeProgress)
    .where(eq(feeProgress.environment, environment))
  return JSON.stringify(state)
}

/** The search text of a fee's account, which `indexAccounts` writes again where it changes. */
const textOfAccount = sql`(select a.search_text from ${account} a
  where a.environment = given.environment and a.id = given.card_account_id)`

/**
 * The fee as the service has it now, which the index stores. Throws `FEE_NOT_FOUND`, also where the service refuses the id's form, and the
 * index deletes it.
 */
export async function readOneFee(environment: Environment, feeId: string): Promise<{ fee: FeeEntry; fetchedAt: Date }> {
  const askedAt = new Date()
  const { record, fetchedAt } = await fetchIndexed(environment, feeId, {
    endpoint: 'listFees',
    table: fee,
    title: 'fee',
    filter: 'feeId',
    list: ({ fees }) => fees,
    notFound: feeNotFound,
    async forget(storedId) {
      await forgetRow(fee, environment, storedId, askedAt)
      await noteWrite(environment)
    },
  })
  await indexFees(environment, [record], fetchedAt)
  return { fee: record, fetchedAt }
}

function feeNotFound(): AppError {
  return new AppError('FEE_NOT_FOUND', 'There is no such fee in this environment.')
}

/** Pages of a hundred fees of some accounts. */
const maximumPages = 200

/**
 * The fees of some accounts as the service has them now, which the index stores; those that it does not list any more are deleted.
 * `onPage` is called for each request.
 */
export async function readFeesOfAccounts(
  environment: Environment,
  accountIds: readonly string[],
  onPage: () => void,
): Promise<FeeEntry[]> {
  const startedAt = new Date()
  const found: FeeEntry[] = []
  let [isWhole, excluded] = [false, 0]
  for await (const page of fetchPages(environment, 'listFees', { accountId: [...accountIds] }, { maximumPages })) {
    onPage()
    excluded += page.excluded + (await indexFees(environment, page.response.fees, page.fetchedAt))
    found.push(...page.response.fees)
    isWhole = page.hasMore === 'no'
  }
  if (isWhole && excluded === 0) {
    await database()
      .delete(fee)
      .where(
        and(eq(fee.environment, environment), inArray(fee.cardAccountId, [...accountIds]), lt(fee.readAt, startedAt)),
      )
    await noteWrite(environment)
  }
  return found
}

export const feeIndex = defineIndex({
  endpoint: 'listFees',
  title: 'fees',
  state: feeProgress,
  table: fee,
  store: (environment, { response, fetchedAt }, reading) => indexFees(environment, response.fees, fetchedAt, reading),
  resuming: { state: feeProgress, oldestIn: ({ fees }) => oldestCreated(fees) },
})

/** When the last fee of a page was charged; null where the page is not the newest first. */
function oldestCreated(fees: readonly FeeEntry[]): Date | null {
  const times = fees.map(({ createdAt }) => parseInstant(createdAt))
  const isNewestFirst = times.every((time, at) => time && time <= (times[at - 1] ?? time))
  return (isNewestFirst && times.at(-1)) || null
}
