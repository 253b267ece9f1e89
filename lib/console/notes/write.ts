import 'server-only'
import { and, eq, gt, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { TicketOrigin } from '#lib/api/help-desk-requests.ts'
import {
  isNoteTargetType,
  type noteActions,
  noteReaders,
  type NoteTargetType,
  noteTargetTypes,
} from '#lib/api/notes.ts'
import { appendAudit } from '#lib/audit/chain.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import { roles, type Role } from '#lib/auth/permissions.ts'
import { requirePermission } from '#lib/auth/session.ts'
import type { Staff } from '#lib/auth/types.ts'
import { oneOf } from '#lib/contract/fields.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import { writeChanges } from '#lib/live/publish.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { atMost } from '#lib/shared/at-most.ts'
import { sameId } from '#lib/shared/ids.ts'
import { EnvironmentName, noCardNumber, ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { staffValues, toTarget, targetValues } from '#lib/tables/schema.ts'
import { notes as note } from '#lib/tables/team.ts'
import { listAssignees } from './read.ts'
import { noteTarget } from './target.ts'
import { longestNote, type NoteResult } from './types.ts'

const NoteId = z.uuid('must be a UUID').toLowerCase()

const AddNote = z.object({
  environment: EnvironmentName,
  /** Made by the form: the same note under double click, reload and retry. */
  noteId: NoteId,
  targetType: oneOf(noteTargetTypes),
  targetId: ServiceId,
  /** Plain text of several lines. */
  text: z
    .string('must be text')
    .transform((text) => text.replaceAll(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .min(1, 'must not be empty')
        .max(...atMost(longestNote))
        .refine((text) => !/[^\P{Cc}\n\t]|\p{Cs}/u.test(text), 'must not hold control characters')
        .refine(...noCardNumber),
    ),
  isPinned: z.boolean('must be true or false').optional(),
  /** Whom the note waits for: a role or a person; omitted for a plain note. */
  handover: z
    .union(
      [z.strictObject({ role: z.enum(roles) }), z.strictObject({ staffId: z.uuid().toLowerCase() })],
      'must be a role or a person',
    )
    .nullish(),
  /** When what is handed over has to be done. */
  dueAt: z.iso
    .datetime({ offset: true, error: 'must be a date-time with a time zone' })
    .transform((text) => new Date(text))
    .nullish(),
  /** The note that this one answers. It waits for that note's author, unless they write it themselves. */
  answersId: NoteId.nullish(),
})

const PinNote = z.object({ environment: EnvironmentName, noteId: NoteId, isPinned: z.boolean('must be true or false') })

const FinishHandover = z.object({ environment: EnvironmentName, noteId: NoteId })

/** Writes a note, once for each id. The service never gets it. */
export const addNote = action('addNote', {
  input: AddNote,
  target: (idIn, { targetType }) => {
    const id = idIn('targetId')
    const type = String(targetType)
    return id && isNoteTargetType(type) ? { type, id, parentId: null, label: null } : null
  },
  run: async (given, { staff }): Promise<NoteResult> => {
    const { environment, noteId, targetType, targetId, text, isPinned = false, answersId = null } = given
    await requirePermission(noteReaders[targetType], environment)
    const [target, answered] = await Promise.all([
      noteTarget(environment, targetType, targetId),
      answersId ? readAnswered(environment, answersId, targetType) : null,
    ])
    if (answersId && !sameId(answered?.targetId, target.id)) {
      return invalid('answersId', 'is not a note of this record')
    }
    // The author of the question may have left the desk: then the answer waits for nobody.
    const author = answered && answered.staffId !== staff.id ? { staffId: answered.staffId } : null
    const handover = given.handover ?? author
    const assignee = handover ? await findAssignee(environment, handover) : noAssignee
    if (!assignee && given.handover) return invalid('handover', 'must be somebody who may write notes')
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
          answersId,
          ...(assignee && handover ? { ...assignee.columns, dueAt: given.dueAt ?? null } : {}),
        })
        .onConflictDoNothing()
        .returning({ id: note.id })
      if (added.length > 0) return record(tx, environment, staff, 'note.add', target, assignee?.comment ?? null)
      const [stored] = await tx.select().from(note).where(eq(note.id, noteId))
      const { forRole = null, forStaffId = null } = assignee && handover ? assignee.columns : {}
      const isSame =
        stored?.staffId === staff.id &&
        sameId(stored.targetId, target.id) &&
        stored.text === text &&
        stored.forRole === forRole &&
        stored.forStaffId === forStaffId
      if (!isSame) throw new AppError('OPERATION_MISMATCH', 'This note was saved before with other content.')
    })
    return { kind: 'saved' }
  },
})

/**
 * A note of a help desk's agent, handed over to Operations, once for each id. Its caller checked the token and the policy. Throws
 * `OPERATION_MISMATCH` where the id belongs to another note, `REQUEST_NOT_ALLOWED` where one that the help desk made about the record
 * after `aloneSince` still waits.
 */
export async function noteFromTicket(given: {
  environment: Environment
  noteId: string
  targetType: NoteTargetType
  targetId: string
  text: string
  by: Actor
  ticketOrigin: TicketOrigin
  aloneSince: Date
}): Promise<void> {
  const { environment, noteId, targetType, targetId, text, by, ticketOrigin, aloneSince } = given
  const target = await noteTarget(environment, targetType, targetId)
  const forRole: Role = 'operations'
  await inTransaction(database(), async (tx) => {
    await lockByName(tx, 'call backs of a record', `${environment} ${target.id}`)
    const [waiting] = await tx
      .select({ id: note.id })
      .from(note)
      .where(
        and(
          eq(note.environment, environment),
          eq(note.targetType, targetType),
          eq(note.targetId, target.id),
          eq(note.staffId, by.id),
          isNotNull(note.ticketOrigin),
          isNull(note.doneAt),
          gt(note.createdAt, aloneSince),
          ne(note.id, noteId),
        ),
      )
      .limit(1)
    if (waiting) throw new AppError('REQUEST_NOT_ALLOWED', 'A call back already waits for Operations.')
    const values = { id: noteId, environment, ...targetValues(target), targetType, text, ...staffValues(by) }
    const [added] = await tx
      .insert(note)
      .values({ ...values, ticketOrigin, forRole, createdAt: new Date() })
      .onConflictDoNothing()
      .returning()
    const [stored] = added ? [added] : await tx.select().from(note).where(eq(note.id, noteId))
    if (stored?.staffId !== by.id || stored.text !== text || !sameId(stored.targetId, target.id)) {
      throw new AppError('OPERATION_MISMATCH', 'This request was made before with other content.')
    }
    if (added)
      await record(tx, environment, by, 'note.add', target, `For the role ${forRole}, ticket ${ticketOrigin.ticket}`)
  })
}

/** Pins a note above the others, or unpins it. */
export const pinNote = changeNote('pinNote', PinNote, ({ isPinned }) => ({
  act: isPinned ? 'note.pin' : 'note.unpin',
  set: { pinnedAt: isPinned ? new Date() : null },
}))

/** The person of this request takes a hand-over: it waits for them alone until it is done. Somebody else may take it from them. */
export const takeHandover = changeNote('takeHandover', FinishHandover, (_input, { id, name }) => ({
  act: 'note.take',
  set: { takenAt: new Date(), takenById: id, takenByName: name },
  where: and(
    isNull(note.doneAt),
    or(isNotNull(note.forRole), isNotNull(note.forStaffId)),
    or(isNull(note.takenById), ne(note.takenById, id)),
  ),
}))

/** Marks a handed-over note as done for everybody it waits for. The first to do so counts. */
export const finishHandover = changeNote('finishHandover', FinishHandover, (_input, { name }) => ({
  act: 'note.finish',
  set: { doneAt: new Date(), doneByName: name },
  where: isNull(note.doneAt),
}))

function changeNote<Input extends { environment: Environment; noteId: string }>(
  name: keyof typeof noteActions,
  input: z.ZodType<Input, Input>,
  planChange: (
    input: Input,
    staff: Staff,
  ) => { act: string; set: Partial<typeof note.$inferInsert>; where?: SQL | undefined },
) {
  return action(name, {
    input,
    run: async (given, { staff }): Promise<NoteResult> => {
      const { environment, noteId } = given
      const isThisNote = and(eq(note.environment, environment), eq(note.id, noteId))
      const [found] = await database().select({ type: note.targetType }).from(note).where(isThisNote)
      if (!found) return { kind: 'invalid', fields: { noteId: 'is not a note of this environment' } }
      await requirePermission(noteReaders[found.type], environment)
      const { act, set, where } = planChange(given, staff)
      await inTransaction(database(), async (tx) => {
        const [changed] = await tx.update(note).set(set).where(and(isThisNote, where)).returning()
        if (!changed) return
        await record(tx, environment, staff, act, toTarget(changed), null)
      })
      return { kind: 'saved' }
    },
  })
}

const invalid = (field: string, wrong: string): NoteResult => ({ kind: 'invalid', fields: { [field]: wrong } })

async function readAnswered(environment: Environment, id: string, type: NoteTargetType) {
  const [found] = await database()
    .select({ staffId: note.staffId, targetId: note.targetId })
    .from(note)
    .where(and(eq(note.environment, environment), eq(note.id, id), eq(note.targetType, type)))
  return found
}

/** The audit entry of a note, which has its text nowhere, and the news for open pages. */
async function record(
  tx: Transaction,
  environment: Environment,
  by: Actor,
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
async function findAssignee(
  environment: Environment,
  handover: { role: Role } | { staffId: string },
): Promise<Assignee | null> {
  const assignees = await listAssignees(environment)
  if ('role' in handover) {
    const { role } = handover
    return assignees.roles.includes(role) ? { columns: { forRole: role }, comment: `For the role ${role}` } : null
  }
  const person = assignees.people.find(({ id }) => id === handover.staffId)
  if (!person) return null
  return { columns: { forStaffId: person.id, forStaffName: person.name }, comment: `For ${person.name}` }
}
