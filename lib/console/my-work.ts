import 'server-only'
import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Target } from '#lib/audit/types.ts'
import { listPermissions, type Permission } from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import type { Staff } from '#lib/auth/types.ts'
import { database } from '#lib/db/connection.ts'
import { isRejected } from '#lib/index/account-filter.ts'
import { emailKey } from '#lib/operations/approvals/request.ts'
import { leftBy } from '#lib/operations/bulk/follow-ups.ts'
import { jobTarget, readJobs } from '#lib/operations/bulk/record.ts'
import type { BulkJob } from '#lib/operations/bulk/types.ts'
import { toOutcomeState } from '#lib/operations/outcome.ts'
import type { Outcome } from '#lib/operations/types.ts'
import { shortId } from '#lib/shared/ids.ts'
import { statedReason } from '#lib/shared/reasons.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { approvals, policies } from '#lib/tables/approvals.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { notes } from '#lib/tables/team.ts'
import { refreshRejections } from './identity/rejections.ts'
import { isUnsettled } from './operations/read.ts'

/** One thing that waits. `text` is a note, the kind of an operation, the state of a request, or why an identity was rejected. */
type WorkItem = {
  id: string
  target: Target
  text: string | null
  by: string | null
  at: string | null
  /** The job itself, in the sections of jobs. */
  job?: BulkJob
  /** Of a decided request: what became of it once it was approved, and why it was declined. */
  outcome?: Outcome['state'] | null
  reason?: string | null
  /** When a hand-over is due, and whether it waits for everybody of a role. */
  dueAt?: string | null
  canBeTaken?: boolean
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
      readOldest(operations, and(isUnsettled(environment), eq(operations.staffId, staffId)), (row) => ({
        target: toTarget(row),
        text: row.kind,
        by: null,
      })),
  },
  approvals: {
    needs: 'requests.decide',
    read: (environment, { id: staffId, email, role }) =>
      readOldest(
        approvals,
        and(
          eq(approvals.environment, environment),
          eq(approvals.state, 'waiting'),
          // Requesters cannot decide their own requests.
          ne(approvals.makerId, staffId),
          emailKey(email) === '' ? undefined : ne(approvals.makerEmail, emailKey(email)),
          listPermissions(role, environment).includes('approvals.decide')
            ? undefined
            : eq(approvals.topic, 'help-desk'),
        ),
        // The effect of a job is its title.
        (row) => ({
          target: toTarget(row),
          text: row.subject === 'bulk-job' ? statedReason(row.reason) : row.effect,
          by: row.makerName,
        }),
      ),
  },
  handovers: {
    needs: 'notes.write',
    async read(environment, { id: staffId, role }) {
      const isMine = or(
        eq(notes.takenById, staffId),
        and(isNull(notes.takenById), or(eq(notes.forStaffId, staffId), eq(notes.forRole, role))),
      )
      const rows = await database()
        .select({ row: getTableColumns(notes), holder: indexedAccounts.name, count: countOver })
        .from(notes)
        .leftJoin(
          indexedAccounts,
          and(
            eq(indexedAccounts.environment, notes.environment),
            sql`lower(${indexedAccounts.id}) = lower(coalesce(${notes.targetParentId}, ${notes.targetId}))`,
          ),
        )
        .where(and(eq(notes.environment, environment), isNull(notes.doneAt), isMine))
        .orderBy(sql`${notes.dueAt} asc nulls last`, asc(notes.createdAt))
        .limit(shownItems)
      return listed(
        rows.map(({ row, holder, count }) => ({ row: { ...row, holder }, count })),
        (row) => {
          const target = toTarget(row)
          const isOfAccount = target.parentId !== null && row.holder
          return {
            id: row.id,
            target: isOfAccount ? { ...target, label: [target.label, row.holder].filter(Boolean).join(' · ') } : target,
            text: row.answersId === null ? row.text : `Answer: ${row.text}`,
            by: row.staffName,
            at: row.createdAt.toISOString(),
            dueAt: isoTime(row.dueAt),
            canBeTaken: row.takenById === null && row.forRole !== null,
          }
        },
      )
    },
  },
  'bulk-jobs': {
    needs: 'accounts.read',
    read: (environment, staff) => readOldestJobs(environment, staff, isNull(bulkJobs.finishedAt)),
  },
  'jobs-in-part': {
    needs: 'accounts.read',
    read: (environment, staff) =>
      readOldestJobs(
        environment,
        staff,
        and(
          gt(bulkJobs.finishedAt, sql`clock_timestamp() - interval '3 days'`),
          or(
            sql`exists (select from ${bulkItems} where job_id = ${bulkJobs.id} and state = 'unknown')`,
            sql`exists (${leftBy(bulkJobs, ['refused'])})`,
          ),
        ),
      ),
  },
  decisions: {
    needs: 'accounts.read',
    async read(environment, { id: staffId }) {
      const decidedAt = sql`coalesce(${approvals.decidedAt}, ${approvals.expiresAt})`
      const rows = await database()
        .select({
          row: { ...getTableColumns(approvals), sentState: operations.state, code: operations.code },
          count: countOver,
        })
        .from(approvals)
        .leftJoin(operations, eq(operations.id, approvals.id))
        .where(
          and(
            eq(approvals.environment, environment),
            eq(approvals.makerId, staffId),
            inArray(approvals.state, ['approved', 'declined', 'expired']),
            gt(decidedAt, sql`clock_timestamp() - interval '1 day'`),
          ),
        )
        .orderBy(desc(decidedAt))
        .limit(shownItems)
      return listed(rows, ({ sentState, code, ...row }) => ({
        id: row.id,
        target: toTarget(row),
        text: row.state,
        by: row.decidedByName,
        at: isoTime(row.decidedAt ?? row.expiresAt),
        outcome: row.state === 'approved' && sentState !== null ? toOutcomeState({ state: sentState, code }) : null,
        reason: row.state === 'declined' ? row.decisionReason : null,
      }))
    },
  },
  policies: {
    needs: 'policy.manage',
    async read(environment, { id: staffId }) {
      const rows = await database()
        .select({ row: getTableColumns(policies), count: countOver })
        .from(policies)
        .where(
          and(
            eq(policies.environment, environment),
            eq(policies.state, 'proposed'),
            ne(policies.proposedById, staffId),
          ),
        )
        .limit(shownItems)
      return listed(rows, ({ id, comment, proposedByName, proposedAt }) => ({
        id,
        target: { type: 'policy', id, parentId: null, label: 'Another policy' },
        text: comment,
        by: proposedByName,
        at: proposedAt.toISOString(),
      }))
    },
  },
  identities: {
    needs: 'identity.manage',
    async read(environment) {
      const { id, name, xid, rejectedReason, createdAt } = indexedAccounts
      const rows = await database()
        .select({ row: { id, name, xid, rejectedReason, createdAt }, count: countOver })
        .from(indexedAccounts)
        .where(and(eq(indexedAccounts.environment, environment), isRejected))
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
/** `count` is everything that waits, in all sections; what was decided is news, and waits for nothing. */
export type MyWork = { sections: WorkSection[]; count: number }

/** Work of the person of this request, only of kinds that their role can act on. */
export async function readMyWork(environment: Environment): Promise<MyWork> {
  const { staff } = await requireCurrentStaff()
  const permissions = listPermissions(staff.role, environment)
  const sections = await Promise.all(
    (Object.keys(sources) as WorkSourceName[])
      .filter((source) => permissions.includes(sources[source].needs))
      .map(async (source) => ({ source, ...(await sources[source].read(environment, staff)) })),
  )
  return { sections, count: sections.reduce((sum, { source, count }) => sum + (source === 'decisions' ? 0 : count), 0) }
}

/** The person's own jobs that match, each with the counts of its rows. */
async function readOldestJobs(environment: Environment, { id: staffId }: Staff, condition: SQL | undefined) {
  const mine = and(eq(bulkJobs.environment, environment), eq(bulkJobs.staffId, staffId), condition)
  const { count, items } = await readOldest(bulkJobs, mine, (row) => ({
    target: jobTarget(row.id, row.title),
    text: null,
    by: null,
    row,
  }))
  const jobs = await readJobs(
    database(),
    items.map(({ row }) => row),
  )
  return { count, items: items.map(({ row: _row, ...item }, index) => ({ ...item, job: jobs[index] })) }
}

/** The rows that match, the oldest first. */
async function readOldest<
  Table extends PgTable & { createdAt: PgColumn },
  Row extends Table['$inferSelect'],
  Item extends Omit<WorkItem, 'id' | 'at'>,
>(table: Table, condition: SQL | undefined, toItem: (row: Row) => Item) {
  const rows = await database()
    .select({ row: getTableColumns(table), count: countOver })
    .from(table as PgTable)
    .where(condition)
    .orderBy(asc(table.createdAt))
    .limit(shownItems)
  return listed(rows as { row: Row & { id: string; createdAt: Date }; count: number }[], (row) => ({
    ...toItem(row),
    id: row.id,
    at: row.createdAt.toISOString(),
  }))
}

function listed<Row, Item extends WorkItem>(
  rows: readonly { row: Row; count: number }[],
  toItem: (row: Row) => Item,
): { count: number; items: Item[] } {
  return { count: rows[0]?.count ?? 0, items: rows.map(({ row }) => toItem(row)) }
}
