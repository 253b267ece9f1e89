import { boolean, index, text, uuid } from 'drizzle-orm/pg-core'
import { consoleSchema, environmentColumn, instant } from './schema.ts'

/** Keys with which a help desk's server gets tokens for embedded views. A revoked key keeps its row, for the list. */
export const embedKeys = consoleSchema.table(
  'embed_keys',
  {
    id: uuid('id').primaryKey(),
    environment: environmentColumn(),
    name: text('name').notNull(),
    /** SHA-256 of the key, which has 256 random bits. */
    hash: text('hash').notNull().unique(),
    /** The key's last four characters, to recognise it by. */
    ending: text('ending').notNull(),
    /** Whether its views have "Open in Carddesk". */
    hasLink: boolean('has_link').notNull().default(true),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
    revokedBy: text('revoked_by'),
  },
  (table) => [index('embed_keys_by_created').on(table.environment, table.createdAt)],
)
