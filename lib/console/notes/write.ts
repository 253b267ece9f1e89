import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { xmetadataTargetTypes } from '#lib/contract/xmetadata.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { appendAudit } from '../desk/audit/chain.ts'
import { writeChanges } from '../desk/live/publish.ts'
import { staffAction } from '../desk/operations/act.ts'
import type { IdField } from '../desk/operations/spec.ts'
import { EnvironmentName, ServiceId } from '../desk/parse.ts'
import { roles, type Role } from '../desk/permissions.ts'
import { requirePermission } from '../desk/session/session.ts'
import type { Staff, Target } from '../desk/shapes.ts'
import { staffValues, targetOf, targetValues } from '../desk/tables/schema.ts'
import { notes as note } from '../desk/tables/team.ts'
import { assigneesOf, notePermissions } from './read.ts'
import { longestNote, type NoteResult } from './shapes.ts'
import { noteTarget } from './target.ts'

const NoteId = z.uuid('must be a UUID').toLowerCase()

const AddNote = z.object({
  environment: EnvironmentName,
  /** Made by the form: the same note under double click, reload and retry. */
  noteId: NoteId,
  targetType: z.enum(xmetadataTargetTypes, `must be one of ${xmetadataTargetTypes.join(', ')}`),
  targetId: ServiceId,
  /** Plain text of several lines. */
  text: z
    .string('must be text')
    .transform((text) => text.replaceAll(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .min(1, 'must not be empty')
        .max(longestNote, `must be at most ${longestNote} characters`)
        .refine((text) => !/[^\P{Cc}\n\t]|\p{Cs}/u.test(text), 'must not hold control characters')
        .refine((text) => !holdsCardNumber(text), 'must not hold a card number'),
    ),
  isPinned: z.boolean('must be true or false').optional(),
  /** Whom the note waits for: a role or a person; omitted for a plain note. */
  handover: z
    .union(
      [z.strictObject({ role: z.enum(roles) }), z.strictObject({ staffId: z.uuid().toLowerCase() })],
      'must be a role or a person',
    )
    .nullish(),
})

export type AddNoteInput = z.input<typeof AddNote>

const PinNote = z.object({ environment: EnvironmentName, noteId: NoteId, isPinned: z.boolean('must be true or false') })

const FinishHandover = z.object({ environment: EnvironmentName, noteId: NoteId })

/** Writes a note, once for each id. The service never gets it. */
export function addNote(input: AddNoteInput): Promise<NoteResult> {
  const about = (idIn: IdField) => {
    const id = idIn('targetId')
    const type = xmetadataTargetTypes.find((known) => known === input.targetType)
    return id && type ? { type, id, parentId: null, label: null } : null
  }
  return staffAction({ kind: 'note.add', permission: 'notes.write', about }, AddNote, input, async (given, staff) => {
    const { environment, noteId, targetType, targetId, text, isPinned = false, handover } = given
    await requirePermission(notePermissions[targetType], environment)
    const [target, assignee] = await Promise.all([
      noteTarget(environment, targetType, targetId),
      handover ? assigneeOf(environment, handover) : noAssignee,
    ])
    if (!assignee) return { kind: 'invalid', fields: { handover: 'must be somebody who may write notes' } }
    const now = new Date()
    await inTransaction(database(), async (tx) => {
      const added = await tx
        .insert(note)
        .values({
          id: noteId,
          environment,
          ...targetValues(target),
          targetType,
          text,
          ...staffValues(staff),
          createdAt: now,
          pinnedAt: isPinned ? now : null,
          ...assignee.columns,
        })
        .onConflictDoNothing()
        .returning({ id: note.id })
      if (added.length === 0) return
      await record(tx, environment, staff, 'note.add', target, assignee.comment)
    })
    return { kind: 'saved' }
  })
}

/** Pins a note above the others, or unpins it. */
export function pinNote(input: z.input<typeof PinNote>): Promise<NoteResult> {
  return changeNote(PinNote, input, ({ isPinned }) => ({
    act: isPinned ? 'note.pin' : 'note.unpin',
    set: { pinnedAt: isPinned ? new Date() : null },
  }))
}

/** Marks a handed-over note as done for everybody it waits for. The first to do so counts. */
export function finishHandover(input: z.input<typeof FinishHandover>): Promise<NoteResult> {
  return changeNote(FinishHandover, input, (_input, { name }) => ({
    act: 'note.finish',
    set: { doneAt: new Date(), doneByName: name },
    where: isNull(note.doneAt),
  }))
}

async function changeNote<Input extends { environment: Environment; noteId: string }>(
  schema: z.ZodType<Input>,
  input: unknown,
  changeOf: (
    input: Input,
    staff: Staff,
  ) => { act: string; set: Partial<typeof note.$inferInsert>; where?: ReturnType<typeof isNull> },
): Promise<NoteResult> {
  return staffAction({ kind: 'note.change', permission: 'notes.write' }, schema, input, async (given, staff) => {
    const { environment, noteId } = given
    const isThisNote = and(eq(note.environment, environment), eq(note.id, noteId))
    const [found] = await database().select({ type: note.targetType }).from(note).where(isThisNote)
    if (!found) return { kind: 'invalid', fields: { noteId: 'is not a note of this environment' } }
    await requirePermission(notePermissions[found.type], environment)
    const { act, set, where } = changeOf(given, staff)
    await inTransaction(database(), async (tx) => {
      const [changed] = await tx.update(note).set(set).where(and(isThisNote, where)).returning()
      if (!changed) return
      await record(tx, environment, staff, act, targetOf(changed), null)
    })
    return { kind: 'saved' }
  })
}

/** The audit entry of a note, which has its text nowhere, and the news for open pages. */
async function record(
  tx: Transaction,
  environment: Environment,
  by: Staff,
  act: string,
  target: Target,
  comment: string | null,
): Promise<void> {
  await appendAudit(tx, { by, environment, act, target, outcome: 'done', comment })
  await writeChanges(tx, environment, [{ type: 'notes', target: { type: target.type, id: target.id } }])
}

type Assignee = {
  columns: { forRole?: Role; forStaffId?: string; forStaffName?: string }
  comment: string | null
}
const noAssignee: Assignee = { columns: {}, comment: null }

/** Null where this role or this person may not write notes here. */
async function assigneeOf(
  environment: Environment,
  handover: { role: Role } | { staffId: string },
): Promise<Assignee | null> {
  const assignees = await assigneesOf(environment)
  if ('role' in handover) {
    const { role } = handover
    return assignees.roles.includes(role) ? { columns: { forRole: role }, comment: `For the role ${role}` } : null
  }
  const person = assignees.people.find(({ id }) => id === handover.staffId)
  if (!person) return null
  return { columns: { forStaffId: person.id, forStaffName: person.name }, comment: `For ${person.name}` }
}
