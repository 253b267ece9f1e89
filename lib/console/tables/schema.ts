import { customType, numeric, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { Environment } from '#lib/shared/routes.ts'

export const consoleSchema = pgSchema('console')

export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
export const money = (name: string) => numeric(name, { precision: 24, scale: 8 })
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const environmentColumn = () => text('environment').notNull().$type<Environment>()
