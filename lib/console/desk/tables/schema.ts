import { customType, integer, numeric, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { Environment } from '#lib/shared/routes.ts'

export const consoleSchema = pgSchema('console')

export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
export const money = (name: string) => numeric(name, { precision: 24, scale: 8 })
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const environmentColumn = () => text('environment').notNull().$type<Environment>()

/** The records that the last full sync of a mirror excluded. */
export const lastReading = {
  /** Records that could not be read: they have no usable id. */
  excluded: integer('excluded').notNull().default(0),
  /** Why it stopped before the end of the list; null where it reached the end. */
  stoppedBecause: text('stopped_because').$type<'limit' | 'repeated-token'>(),
}
