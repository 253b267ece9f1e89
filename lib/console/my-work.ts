import 'server-only'
import { and, asc, eq, getTableColumns, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { database } from '#lib/db/connection.ts'
import { shortId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { jobTarget } from './bulk/record.ts'
import { isRejected } from './desk/mirror/filter.ts'
import { permissionsOf, type Permission } from './desk/permissions.ts'
import { requirePermission } from './desk/session/session.ts'
import type { Staff, Target } from './desk/shapes.ts'
import { approvals } from './desk/tables/approvals.ts'
import { bulkJobs } from './desk/tables/bulk.ts'
import { directoryAccounts } from './desk/tables/directory.ts'
import { operations } from './desk/tables/operations.ts'
import { targetOf } from './desk/tables/schema.ts'
import { notes } from './desk/tables/team.ts'
import { refreshRejections } from './identity/rejections.ts'

/** One thing that waits. `text` is a note, the kind of an operation, the state of a job, or why an identity was rejected. */
type WorkItem = {
  id: string
  target: Target
  text: string | null
  by: string | null
  at: string | null
}

type Source = {
  /** People without it have nothing of this kind to do. */
  needs: Permission
  read: (environment: Environment, staff: Staff) => Promise<{ count: number; items: WorkItem[] }>
}

const shownItems = 10

/** Counts in the same query: `count(*) over ()` is of all rows, before the limit. */
const countOver = sql<number>`(count(*) over ())::int`

/** Things that wait for a person, the most pressing first. To add a source: a row here and one in `work-table.tsx`. */
const sources = {
  operations: {
    needs: 'accounts.read',
    read: (environment, { id: staffId }) =>
      oldest(
        operations,
        and(
          eq(operations.environment, environment),
          eq(operations.staffId, staffId),
          eq(operations.state, sql`'unknown'`),
        ),
        (row) => ({ target: targetOf(row), text: row.kind, by: null }),
      ),
  },
  approvals: {
    needs: 'approvals.decide',
    read: (environment, { id: staffId }) =>
      oldest(
        approvals,
        and(
          eq(approvals.environment, environment),
          eq(approvals.state, 'waiting'),
          // Requesters cannot decide their own requests.
          ne(approvals.makerId, staffId),
        ),
        (row) => ({ target: targetOf(row), text: row.effect, by: row.makerName }),
      ),
  },
  handovers: {
    needs: 'notes.write',
    read: (environment, { id: staffId, role }) =>
      oldest(
        notes,
        and(
          eq(notes.environment, environment),
          isNull(notes.doneAt),
          or(eq(notes.forStaffId, staffId), eq(notes.forRole, role)),
        ),
        (row) => ({ target: targetOf(row), text: row.text, by: row.staffName }),
      ),
  },
  'bulk-jobs': {
    needs: 'accounts.read',
    read: (environment, { id: staffId }) =>
      oldest(
        bulkJobs,
        and(eq(bulkJobs.environment, environment), eq(bulkJobs.staffId, staffId), isNull(bulkJobs.finishedAt)),
        ({ id, title, state }) => ({ target: jobTarget(id, title), text: state, by: null }),
      ),
  },
  identities: {
    needs: 'identity.manage',
    async read(environment) {
      const { id, name, xid, rejectedReason, createdAt } = directoryAccounts
      const rows = await database()
        .select({ row: { id, name, xid, rejectedReason, createdAt }, count: countOver })
        .from(directoryAccounts)
        .where(and(eq(directoryAccounts.environment, environment), isRejected))
        .orderBy(asc(createdAt), asc(id))
        .limit(shownItems)
      refreshRejections(
        environment,
        rows.map(({ row }) => row.id),
      )
      return listed(rows, (row) => ({
        id: row.id,
        target: { type: 'identity', id: row.id, parentId: null, label: row.name ?? row.xid },
        // People and companies share names.
        text: [row.rejectedReason, row.xid ?? shortId(row.id)].filter(Boolean).join(' · '),
        by: null,
        at: null,
      }))
    },
  },
} as const satisfies Record<string, Source>

type WorkSourceName = keyof typeof sources
type WorkSection = { source: WorkSourceName; count: number; items: WorkItem[] }
/** `count` is everything that waits, in all sections. */
export type MyWork = { sections: WorkSection[]; count: number }

/** What waits for the person of this request: only what their role can do something about. */
export async function readMyWork(environment: Environment): Promise<MyWork> {
  const staff = await requirePermission('accounts.read', environment)
  const permissions = permissionsOf(staff.role, environment)
  const sections = await Promise.all(
    (Object.keys(sources) as WorkSourceName[])
      .filter((source) => permissions.includes(sources[source].needs))
      .map(async (source) => ({ source, ...(await sources[source].read(environment, staff)) })),
  )
  return { sections, count: sections.reduce((sum, { count }) => sum + count, 0) }
}

/** The rows that match, the oldest first. */
async function oldest<Table extends PgTable & { createdAt: PgColumn }, Row extends Table['$inferSelect']>(
  table: Table,
  condition: SQL | undefined,
  itemOf: (row: Row) => Omit<WorkItem, 'id' | 'at'>,
) {
  const rows = await database()
    .select({ row: getTableColumns(table), count: countOver })
    .from(table as PgTable)
    .where(condition)
    .orderBy(asc(table.createdAt))
    .limit(shownItems)
  return listed(rows as { row: Row & { id: string; createdAt: Date }; count: number }[], (row) => ({
    ...itemOf(row),
    id: row.id,
    at: row.createdAt.toISOString(),
  }))
}

function listed<Row>(
  rows: readonly { row: Row; count: number }[],
  itemOf: (row: Row) => WorkItem,
): { count: number; items: WorkItem[] } {
  return { count: rows[0]?.count ?? 0, items: rows.map(({ row }) => itemOf(row)) }
}
