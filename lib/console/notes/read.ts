import 'server-only'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { xmetadataTargetTypes } from '#lib/contract/xmetadata.ts'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AppError } from '../desk/app-error.ts'
import { parseInput, ServiceId } from '../desk/parse.ts'
import { permissionsOf, roles, type Permission, type Role } from '../desk/permissions.ts'
import { requirePermission } from '../desk/session/session.ts'
import { consoleSettings } from '../desk/settings.ts'
import { staff } from '../desk/tables/staff.ts'
import { notes as note } from '../desk/tables/team.ts'
import type { Note, NoteTargetType } from './shapes.ts'
import { noteTarget } from './target.ts'

/** The readers of a record's notes: everybody who can read the record. */
export const notePermissions: Record<NoteTargetType, Permission> = {
  cardaccount: 'accounts.read',
  card: 'accounts.read',
  payout: 'payouts.read',
}

/** Pinned notes first, then the newest. `hasMore`: there are older ones than the page shows. */
export type NoteList = { notes: Note[]; hasMore: boolean }

const mostNotes = 50

/** The notes of a record. Throws the not-found code of its type. */
export async function listNotes(environment: Environment, type: string, id: string): Promise<NoteList> {
  const targetType = xmetadataTargetTypes.find((known) => known === type)
  await requirePermission(notePermissions[targetType ?? 'cardaccount'], environment)
  const targetId = parseInput(ServiceId, id)
  if (!targetType) throw new AppError('INVALID_PARAMETERS', `type must be one of ${xmetadataTargetTypes.join(', ')}`)
  const target = await noteTarget(environment, targetType, targetId)
  const rows = await database()
    .select()
    .from(note)
    .where(
      and(
        eq(note.environment, environment),
        eq(note.targetType, targetType),
        sql`lower(${note.targetId}) = ${target.id.toLowerCase()}`,
      ),
    )
    .orderBy(sql`${note.pinnedAt} is null`, desc(note.createdAt), note.id)
    .limit(mostNotes + 1)
  return { notes: rows.slice(0, mostNotes).map(noteOf), hasMore: rows.length > mostNotes }
}

function noteOf(row: typeof note.$inferSelect): Note {
  const { forRole, forStaffName, doneAt, doneByName } = row
  return {
    id: row.id,
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
            done: doneAt && { at: doneAt.toISOString(), by: doneByName ?? '' },
          },
  }
}

/** Whom a note can be handed to. */
export type Assignees = { roles: Role[]; people: { id: string; name: string; role: Role }[] }

/** Roles and people who may write notes in the environment. */
export async function listAssignees(environment: Environment): Promise<Assignees> {
  await requirePermission('notes.write', environment)
  return assigneesOf(environment)
}

/** Lists the people a note can be handed to, without a check of the permission. */
export async function assigneesOf(environment: Environment): Promise<Assignees> {
  const mayWrite = (role: Role) => permissionsOf(role, environment).includes('notes.write')
  const { isDemo } = consoleSettings()
  const people = await database()
    .select({ id: staff.id, name: staff.name, role: staff.role })
    .from(staff)
    .where(
      and(
        eq(staff.origin, isDemo ? 'demo' : 'oidc'),
        isNull(staff.disabledAt),
        // An invited person who has never signed in cannot receive a hand-over.
        isDemo ? undefined : isNotNull(staff.oidcSubject),
      ),
    )
    .orderBy(sql`lower(${staff.name})`, staff.id)
    .limit(500)
  return { roles: roles.filter(mayWrite), people: people.filter(({ role }) => mayWrite(role)) }
}
