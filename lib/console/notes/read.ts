import 'server-only'
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { isNoteTargetType, noteTargetTypes } from '#lib/api/notes.ts'
import type { Target } from '#lib/audit/types.ts'
import { listPermissions, roles, type Permission, type Role } from '#lib/auth/permissions.ts'
import { hasAccess, requireCurrentStaff } from '#lib/auth/session.ts'
import { database } from '#lib/db/connection.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { parseInput, ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { staff } from '#lib/tables/staff.ts'
import { notes as note } from '#lib/tables/team.ts'
import { noteTarget } from './target.ts'
import type { Note } from './types.ts'

/** Pinned notes first, then the newest. `hasMore`: there are older ones than the page shows. */
export type NoteList = { notes: Note[]; hasMore: boolean }

const mostNotes = 50

/**
 * The notes of a record and of those that belong to it: a card account, its cards, transactions and fees, and the payouts whose
 * metadata name the account by its id or external ID. Throws the not-found code of its type.
 */
export async function listNotes(environment: Environment, type: string, id: string): Promise<NoteList> {
  const {
    staff: { role },
  } = await requireCurrentStaff()
  const targetId = parseInput(ServiceId, id)
  if (!isNoteTargetType(type)) {
    throw new AppError('INVALID_PARAMETERS', `type must be one of ${noteTargetTypes.join(', ')}`)
  }
  const target = await noteTarget(environment, type, targetId)
  const rows = await database()
    .select()
    .from(note)
    .where(
      and(
        eq(note.environment, environment),
        or(
          and(eq(note.targetType, type), sql`lower(${note.targetId}) = ${target.id.toLowerCase()}`),
          await isOfSameAccount(environment, target, listPermissions(role, environment)),
        ),
      ),
    )
    .orderBy(sql`${note.pinnedAt} is null`, desc(note.createdAt), note.id)
    .limit(mostNotes + 1)
  return { notes: rows.slice(0, mostNotes).map(toNote), hasMore: rows.length > mostNotes }
}

/** Whether a value of a payout's metadata names an account. The interface has no other tie between them. */
const namesAccount = (payout: SQL, account: SQL) => sql`exists (
  select 1 from jsonb_path_query(${payout}.record -> 'xmetadata', '$.*') as named (value)
  where lower(named.value #>> '{}') in (lower(${account}.id), lower(${account}.xid)))`

/** The notes of the account that a record is or belongs to, as far as the person may read them; undefined where it belongs to none. */
async function isOfSameAccount(
  environment: Environment,
  target: Target,
  held: readonly Permission[],
): Promise<SQL | undefined> {
  if (!held.includes('accounts.read')) return undefined
  const ids = await findAccountIds(environment, target)
  if (ids.length === 0) return undefined
  const isOfAccount = (column: PgColumn) => inArray(sql`lower(${column})`, ids)
  return or(
    and(eq(note.targetType, 'cardaccount'), isOfAccount(note.targetId)),
    and(inArray(note.targetType, ['card', 'transaction', 'fee']), isOfAccount(note.targetParentId)),
    held.includes('payouts.read')
      ? and(
          eq(note.targetType, 'payout'),
          sql`exists (
            select 1 from ${indexedPayouts} payout, ${indexedAccounts} account
            where payout.environment = ${environment} and lower(payout.id) = lower(${note.targetId})
              and account.environment = ${environment} and ${inArray(sql`lower(account.id)`, ids)}
              and ${namesAccount(sql`payout`, sql`account`)})`,
        )
      : undefined,
  )
}

/** The ids, in lower case, of the accounts of a record. */
async function findAccountIds(environment: Environment, { type, id, parentId }: Target): Promise<string[]> {
  if (type === 'cardaccount') return [id.toLowerCase()]
  // Without an account: a fee of a funding account.
  if (type !== 'payout') return parentId === null ? [] : [parentId.toLowerCase()]
  const { rows } = await database().execute<{ id: string }>(sql`
    select lower(account.id) as id from ${indexedPayouts} payout, ${indexedAccounts} account
    where payout.environment = ${environment} and lower(payout.id) = ${id.toLowerCase()}
      and account.environment = ${environment} and ${namesAccount(sql`payout`, sql`account`)} limit 10`)
  return rows.map((row) => row.id)
}

function toNote(row: typeof note.$inferSelect): Note {
  const { forRole, forStaffName, dueAt, takenAt, takenById, takenByName, doneAt, doneByName } = row
  return {
    id: row.id,
    target: toTarget(row),
    text: row.text,
    by: { id: row.staffId, name: row.staffName, role: row.staffRole },
    at: row.createdAt.toISOString(),
    isPinned: row.pinnedAt !== null,
    handover:
      forRole === null && forStaffName === null
        ? null
        : {
            role: forRole,
            person: forStaffName,
            dueAt: isoTime(dueAt),
            taken: takenAt && takenById ? { at: takenAt.toISOString(), byId: takenById, by: takenByName ?? '' } : null,
            done: doneAt && { at: doneAt.toISOString(), by: doneByName ?? '' },
          },
    answersId: row.answersId,
  }
}

/** Whom a note can be handed to. */
export type Assignees = { roles: Role[]; people: { id: string; name: string; role: Role }[] }

/** Roles and people who may write notes in the environment. */
export async function listAssignees(environment: Environment): Promise<Assignees> {
  const mayWrite = (role: Role) => listPermissions(role, environment).includes('notes.write')
  const people = await database()
    .select({ id: staff.id, name: staff.name, role: staff.role })
    .from(staff)
    .where(hasAccess())
    .orderBy(sql`lower(${staff.name})`, staff.id)
    .limit(500)
  return { roles: roles.filter(mayWrite), people: people.filter(({ role }) => mayWrite(role)) }
}
