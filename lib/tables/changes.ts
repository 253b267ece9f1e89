import { bigserial, index, jsonb } from 'drizzle-orm/pg-core'
import type { Change } from '#lib/live/types.ts'
import { consoleSchema, environmentColumn, instant } from './schema.ts'

/** Recent changes in the order of their commits, so that a browser that was offline can catch up. */
export const changes = consoleSchema.table(
  'changes',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    environment: environmentColumn(),
    about: jsonb('about').notNull().$type<Change[]>(),
    at: instant('at').notNull(),
  },
  (table) => [index('changes_at').on(table.at)],
)
