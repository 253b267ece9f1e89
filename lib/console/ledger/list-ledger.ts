import 'server-only'
import { and, eq, gte, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { ledgerSearch } from '#lib/api/payouts.ts'
import type { AccountTransaction } from '#lib/contract/records.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import { containsText } from '#lib/index/conditions.ts'
import { readOccurring } from '#lib/index/distinct-values.ts'
import type { Sort } from '#lib/index/keyset.ts'
import { pageRecords } from '#lib/index/record-page.ts'
import { checkSort, filterSchemas, sortedPage } from '#lib/index/search-schema.ts'
import { readStatusTotals } from '#lib/index/status-totals.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { parseSearch, searchTerms } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedLedger as ledger } from '#lib/tables/ledger.ts'
import { ledgerFreshness, ledgerIndex } from './index-ledger.ts'
import type { LedgerEntry, LedgerEntryDetail, LedgerList } from './types.ts'

const LedgerFilters = z
  .object({ ...filterSchemas(ledgerSearch.filters), ...sortedPage(ledgerSearch.sorts) })
  .partial()
  .superRefine(checkSort(ledgerSearch.sorts))

/** Search parameters of the URL. All optional; empty texts count as absent. */
export type LedgerFilters = z.input<typeof LedgerFilters>
type ParsedLedgerFilters = z.output<typeof LedgerFilters>

/** Below the funding accounts and the totals there is less room than on other pages. */
const defaultPageSize = 20

const sorts: Record<NonNullable<ParsedLedgerFilters['sort']>, Sort> = {
  time: { by: sql`position`, type: sql`numeric` },
  amount: { by: sql`amount`, type: sql`numeric` },
}

/** The rows that match a filter. Open sets: a code that the console does not know still filters. */
function ledgerCondition(environment: Environment, filters: ParsedLedgerFilters): SQL {
  const { q, accountId, intent, status, currency, amountFrom, amountTo, dateRangeFrom, dateRangeTo } = filters
  const conditions = [
    eq(ledger.environment, environment),
    ...searchTerms(q ?? '').map((term) => containsText(ledger.searchText, term)),
    accountId ? sql`lower(${ledger.accountId}) = ${accountId.toLowerCase()}` : undefined,
    intent ? eq(ledger.intent, intent) : undefined,
    status ? eq(ledger.status, status) : undefined,
    currency ? eq(ledger.currency, currency) : undefined,
    amountFrom ? sql`abs(${ledger.amount}) >= ${amountFrom}::numeric` : undefined,
    amountTo ? sql`abs(${ledger.amount}) <= ${amountTo}::numeric` : undefined,
    dateRangeFrom ? gte(ledger.time, dateRangeFrom) : undefined,
    dateRangeTo ? lte(ledger.time, dateRangeTo) : undefined,
  ]
  return and(...conditions) ?? sql`true`
}

/**
 * One page of the funding accounts' ledger as the index has it, the latest posting first, with the totals of all that match. Throws
 * `INVALID_PARAMETERS`.
 */
export async function listLedger(environment: Environment, search: LedgerFilters): Promise<LedgerList> {
  const filters = parseSearch(LedgerFilters, search)
  requireService(environment)
  await ledgerFreshness.forReader(environment)
  const request = { list: 'ledger', environment, search: { pageSize: defaultPageSize, ...filters } }
  const columns = { intents: 'intent', statuses: 'status', currencies: 'currency' }
  const [{ rows, ...page }, totals, choices, coverage, health] = await Promise.all([
    pageRecords(ledger, sorts[filters.sort ?? 'time'], request, ledgerCondition(environment, filters)),
    readStatusTotals({ table: ledger, amount: ledger.amount }, environment, filters, ledgerCondition),
    readOccurring(ledger, environment, columns),
    ledgerIndex.coverage(environment),
    readHealth(environment),
  ])
  return { ...page, transactions: rows.map(toLedgerEntry), totals, choices, coverage, health }
}

function toLedgerEntry({ id, record }: { id: string; record: Record<string, unknown> }): LedgerEntry {
  return { ...(record as AccountTransaction), key: id }
}

/** One entry as the index has it: the interface has no request for one. Throws `LEDGER_ENTRY_NOT_FOUND`. */
export async function readLedgerEntry(environment: Environment, entryId: string): Promise<LedgerEntryDetail> {
  requireService(environment)
  await ledgerFreshness.forReader(environment)
  const [row] = await indexDatabase()
    .select({ id: ledger.id, record: ledger.record, readAt: ledger.readAt })
    .from(ledger)
    .where(and(eq(ledger.environment, environment), sql`lower(id) = ${entryId.toLowerCase()}`))
    .orderBy(sql`id = ${entryId} desc`)
    .limit(1)
  if (!row) throw new AppError('LEDGER_ENTRY_NOT_FOUND', 'The ledger has no such entry in this environment.')
  const freshness = { asOf: row.readAt.toISOString(), source: 'index' as const, health: await readHealth(environment) }
  return { entry: toLedgerEntry(row), freshness }
}
