import { bigint, customType, integer, jsonb, numeric, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { TicketOrigin } from '#lib/api/help-desk-requests.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import type { Role } from '#lib/auth/permissions.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'

export const consoleSchema = pgSchema('console')

export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
export const money = (name: string) => numeric(name, { precision: 24, scale: 8 })
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
/** The terms by which a row is found (`lib/index/search-terms.ts`); null until it was written since there are any. */
export const searchTermsColumn = () => customType<{ data: string }>({ dataType: () => 'tsvector' })('terms')
export const environmentColumn = () => text('environment').notNull().$type<Environment>()

/** A record of the service as it was read. */
export const indexedRecord = () => ({
  record: jsonb('record').notNull().$type<Record<string, unknown>>(),
  /** When the request was sent: the response to an earlier request never replaces that to a later one. */
  readAt: instant('read_at').notNull(),
  /** The whole reading that saw it last. */
  reading: bigint('reading', { mode: 'number' }).notNull(),
})

/** How far the index of a list is, in each environment. */
export const indexProgress = () => ({
  environment: environmentColumn().primaryKey(),
  /** Number of the whole reading that is under way or was the last. */
  reading: bigint('reading', { mode: 'number' }).notNull().default(0),
  readingSince: instant('reading_since'),
  /** When the last whole reading that came to its end began: nothing in the index is older. */
  asOf: instant('as_of'),
  /** Records that could not be read: they have no usable id. Of a reading that may be resumed, those so far. */
  excluded: integer('excluded').notNull().default(0),
  /** Why it stopped before the end of the list; null where it reached the end. */
  stoppedBecause: text('stopped_because').$type<'limit' | 'repeated-token'>(),
  records: integer('records').notNull().default(0),
})

/** The member of staff who did something, with name and role at that moment. */
export const staffColumns = () => ({
  staffId: uuid('staff_id').notNull(),
  staffName: text('staff_name').notNull(),
  staffRole: text('staff_role').notNull().$type<Role>(),
})

/** Who did something: staff, or the agent of a help desk, with the id of its key and without a role. */
export const actorColumns = () => ({
  ...staffColumns(),
  staffRole: text('staff_role').$type<Role>(),
  /** The help desk's agent and the ticket, where one asked for it. */
  ticketOrigin: jsonb('ticket_origin').$type<TicketOrigin>(),
})

export function staffValues<Kind extends Role | null>({ id, name, role }: Actor & { role: Kind }) {
  return { staffId: id, staffName: name, staffRole: role }
}

type ActorRow = { staffId: string; staffName: string; staffRole: Role | null }

export function toActor({ staffId: id, staffName: name, staffRole: role }: ActorRow): Actor {
  return { id, name, role }
}

type DecisionRow = { decidedById: string | null; decidedByName: string | null; decidedByRole: Role | null }

/** Who decided a request; null while nobody has, and where it expired. */
export function toDecider({ decidedById: id, decidedByName: name, decidedByRole: role }: DecisionRow): Actor | null {
  return id && name && role ? { id, name, role } : null
}

/** Type and id of the record that the row refers to. */
export const targetColumns = () => ({
  targetType: text('target_type').notNull(),
  targetId: text('target_id').notNull(),
  targetParentId: text('target_parent_id'),
  targetLabel: text('target_label'),
})

/** The label is often a name of the service, which may hold what PostgreSQL cannot store. */
export function targetValues(target: Target) {
  const { type, id, parentId, label } = storable(target) as Target
  return { targetType: type, targetId: id, targetParentId: parentId, targetLabel: label }
}

export function toTarget(row: ReturnType<typeof targetValues>): Target {
  return { type: row.targetType, id: row.targetId, parentId: row.targetParentId, label: row.targetLabel }
}
