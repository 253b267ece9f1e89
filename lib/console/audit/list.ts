import 'server-only'
import { and, eq, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { auditSearch } from '#lib/api/audit.ts'
import { auditDetailNames, type AuditDetails, type AuditEntry, type AuditFacts } from '#lib/audit/types.ts'
import { database } from '#lib/db/connection.ts'
import { containsText, escapeLike } from '#lib/index/conditions.ts'
import { pageByNumber } from '#lib/index/keyset.ts'
import { filterSchemas } from '#lib/index/search-schema.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { parseSearch, listPage } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { auditEntries, consoleRequestIdIn, type AuditRow } from '#lib/tables/audit.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { serviceRequests } from '#lib/tables/requests.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { readAuditFacts } from './facts.ts'

export type AuditPage = { entries: AuditEntry[]; prevPageToken: string | null; nextPageToken: string | null }

const AuditFilters = z.object({ ...filterSchemas(auditSearch.filters), ...listPage }).partial()
export type AuditFilters = z.input<typeof AuditFilters>

/** Entries of an environment and those that belong to none, newest first. */
export async function listAudit(environment: Environment, search: AuditFilters): Promise<AuditPage> {
  const { pageSize: size = 50, pageToken: token, ...filters } = parseSearch(AuditFilters, search)
  const { number, at } = auditEntries
  const { rows, ...tokens } = await pageByNumber(
    number,
    'desc',
    { scope: ['audit', environment, filters], token, size },
    (row: AuditRow) => row.number,
    ({ condition, order, limit }) =>
      database()
        .select()
        .from(auditEntries)
        .where(
          and(
            or(eq(auditEntries.environment, environment), isNull(auditEntries.environment)),
            filters.by ? eq(auditEntries.staffId, filters.by) : undefined,
            filters.act ? eq(auditEntries.act, filters.act) : undefined,
            filters.outcome ? eq(auditEntries.outcome, filters.outcome) : undefined,
            filters.targetId ? isAbout(environment, filters.targetId) : undefined,
            filters.object ? isNamed(environment, filters.object) : undefined,
            filters.operationId ? eq(auditEntries.operationId, filters.operationId) : undefined,
            filters.requestId ? hasRequestId(filters.requestId) : undefined,
            filters.own ? isSamePersonAgain : undefined,
            filters.dateRangeFrom ? gte(at, filters.dateRangeFrom) : undefined,
            filters.dateRangeTo ? lte(at, filters.dateRangeTo) : undefined,
            condition,
          ),
        )
        .orderBy(...order)
        .limit(limit),
  )
  return { entries: await toEntries(environment, rows), ...tokens }
}

const changesNothing = sql`('data.read', 'export.read')`

/** A read or an export, and a refused attempt before it, do not count: they changed nothing. */
const isSamePersonAgain = sql`${auditEntries.targetId} is not null and ${auditEntries.act} not in ${changesNothing} and (
  ${auditEntries.targetId} = ${auditEntries.staffId}::text or exists (
    select 1 from ${auditEntries} before where before.target_id = ${auditEntries.targetId}
      and before.staff_id = ${auditEntries.staffId} and before.number < ${auditEntries.number}
      and before.outcome in ('done', 'partial') and before.act not in ${changesNothing}))`

/**
 * Entries on an object, and that of the operation which made it: a payout has no id before. Of an id that looks like a card number an
 * entry has the last digits, and its operation has it whole.
 */
function isAbout(environment: Environment, targetId: string) {
  const { id, resultId } = operations
  const isOperation = or(eq(operations.targetId, targetId), eq(resultId, targetId))
  return or(
    eq(auditEntries.targetId, targetId),
    sql`${auditEntries.operationId} in (
      select ${id} from ${operations} where ${operations.environment} = ${environment} and ${isOperation})`,
  )
}

/** Entries on objects that a person names. An entry on a card is found by the account's name, too. */
function isNamed(environment: Environment, text: string) {
  const lower = text.toLowerCase()
  const inIndex = (table: PgTable, condition: SQL) =>
    sql`(select id from ${table} where environment = ${environment} and ${condition})`
  const { targetId, targetParentId, targetLabel } = auditEntries
  const accounts = inIndex(indexedAccounts, containsText(indexedAccounts.searchText, lower))
  return or(
    sql`lower(${targetId}) = ${lower}`,
    sql`lower(${targetLabel}) like ${`%${escapeLike(lower)}%`}`,
    sql`${targetId} in ${accounts}`,
    sql`${targetParentId} in ${accounts}`,
    sql`${targetId} in ${inIndex(indexedCards, eq(indexedCards.last4, text))}`,
    sql`${targetId} in ${inIndex(indexedPayouts, containsText(indexedPayouts.searchText, lower))}`,
  )
}

/** The console's own id is within the details, an operation's service ids in its request log. */
function hasRequestId(requestId: string) {
  return or(
    eq(auditEntries.requestId, requestId),
    sql`${auditEntries.operationId} in (select operation_id from ${serviceRequests} where request_id = ${requestId})`,
    isUuid(requestId) ? sql`${consoleRequestIdIn(auditEntries.details)} = ${requestId.toLowerCase()}` : undefined,
  )
}

/** The entries of rows, with their facts and with the names of their objects. */
export async function toEntries(environment: Environment, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const [facts, names] = await Promise.all([readAuditFacts(environment, rows), readNames(environment, rows)])
  return rows.map((row) => {
    const entry = toEntry(row)
    const label = names.get(nameKey(row))
    return {
      ...entry,
      target: entry.target && { ...entry.target, label: label ?? entry.target.label },
      facts: facts.get(row.number) ?? noFacts,
    }
  })
}

const nameKey = ({ targetType, targetId }: Pick<AuditRow, 'targetType' | 'targetId'>) => `${targetType} ${targetId}`

/** Objects are named one way, whatever their entries say: cards by their last digits, entries without a name by the index. */
async function readNames(environment: Environment, rows: readonly AuditRow[]): Promise<Map<string, string>> {
  const listIds = (type: string) => [
    ...new Set(
      rows.flatMap((row) =>
        row.targetType === type && (row.targetLabel === null || type === 'card') ? (row.targetId ?? []) : [],
      ),
    ),
  ]
  const named = await Promise.all(
    Object.entries(nameSources).map(async ([type, { table, name }]) => {
      const ids = listIds(type)
      if (ids.length === 0) return []
      const { rows: found } = await database().execute<{ id: string; name: string | null }>(
        sql`select id, ${name} as name from ${table} where environment = ${environment} and ${inArray(sql`id`, ids)}`,
      )
      return found.flatMap(({ id, name }) => (name === null ? [] : [[`${type} ${id}`, name] as const]))
    }),
  )
  return new Map(named.flat())
}

const nameSources = {
  cardaccount: { table: indexedAccounts, name: sql`coalesce(nullif(name, ''), xid)` },
  card: { table: indexedCards, name: sql`'Card ending ' || last4` },
  payout: { table: indexedPayouts, name: sql`'Payout to ' || (record #>> '{destination,accountHolderName}')` },
}

const noFacts: AuditFacts = { account: null, limit: null, address: null, bodySha256: null, resultId: null }

function toEntry(row: AuditRow): Omit<AuditEntry, 'facts'> {
  const { staffId, staffName, staffRole, targetType, targetId, targetParentId, targetLabel } = row
  return {
    number: row.number,
    at: row.at.toISOString(),
    by: staffId && staffName ? { id: staffId, name: staffName, role: staffRole } : null,
    environment: row.environment,
    act: row.act,
    target: targetType && targetId ? toTarget({ targetType, targetId, targetParentId, targetLabel }) : null,
    outcome: row.outcome,
    code: row.code,
    reason: row.reason,
    comment: row.comment,
    operationId: row.operationId,
    requestId: row.requestId,
    details: parseDetails(row.details),
    hash: row.hash,
  }
}

const Details = z.partialRecord(z.enum(auditDetailNames), z.string())

/** The facts of the column; none of a text that was tampered with and is no JSON. */
function parseDetails(text: string | null): AuditDetails {
  try {
    return Details.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}
