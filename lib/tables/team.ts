import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { NoteTargetType } from '#lib/api/notes.ts'
import type { SavedList } from '#lib/api/saved-views.ts'
import type { Role } from '#lib/auth/permissions.ts'
import { actorColumns, consoleSchema, environmentColumn, instant } from './schema.ts'
import { staff } from './staff.ts'

/**
 * Notes of staff and of help desks’ agents on accounts, cards, transactions, fees and payouts. They are never sent to the service. Only the
 * pin and the hand-over of a note change; an answer is a note of its own.
 */
export const notes = consoleSchema.table(
  'notes',
  {
    /** Made by the form: the same note under double click, reload and retry. */
    id: uuid('id').primaryKey(),
    environment: environmentColumn(),
    targetType: text('target_type').notNull().$type<NoteTargetType>(),
    targetId: text('target_id').notNull(),
    /** The account of a card, a transaction or a fee. */
    targetParentId: text('target_parent_id'),
    targetLabel: text('target_label'),
    text: text('text').notNull(),
    ...actorColumns(),
    createdAt: instant('created_at').notNull(),
    pinnedAt: instant('pinned_at'),
    /** Whom the note waits for: everybody of a role, or one person; both are null for a note without a hand-over. */
    forRole: text('for_role').$type<Role>(),
    forStaffId: uuid('for_staff_id').references(() => staff.id),
    forStaffName: text('for_staff_name'),
    /** When what it asks for has to be done. */
    dueAt: instant('due_at'),
    /** Who took the hand-over: it waits for nobody else then. */
    takenAt: instant('taken_at'),
    takenById: uuid('taken_by_id').references(() => staff.id),
    takenByName: text('taken_by_name'),
    /** The note that this one answers. */
    answersId: uuid('answers_id'),
    doneAt: instant('done_at'),
    doneByName: text('done_by_name'),
  },
  (table) => [
    index('notes_target').on(table.environment, table.targetType, sql`lower(target_id)`, table.createdAt),
    index('notes_waiting_for_staff')
      .on(table.environment, table.forStaffId, table.createdAt)
      .where(sql`for_staff_id is not null and done_at is null`),
    index('notes_waiting_for_role')
      .on(table.environment, table.forRole, table.createdAt)
      .where(sql`for_role is not null and done_at is null`),
  ],
)

/** A list as a person likes to see it: the search part of its URL, and the columns of its table. */
export const savedViews = consoleSchema.table(
  'saved_views',
  {
    id: uuid('id').primaryKey(),
    environment: environmentColumn(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staff.id),
    /** The id of the list's table: `fees`, `payouts` … */
    list: text('list').notNull().$type<SavedList>(),
    name: text('name').notNull(),
    /** Filters and sort as the URL has them, without the page. */
    query: text('query').notNull(),
    /** Null: the columns that fit. */
    columns: jsonb('columns').$type<string[]>(),
    /** Opened where the list is opened without a filter. */
    isDefault: boolean('is_default').notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('saved_views_name').on(table.environment, table.staffId, table.list, sql`lower(name)`),
    uniqueIndex('saved_views_default')
      .on(table.environment, table.staffId, table.list)
      .where(sql`is_default`),
  ],
)
