import { text, uuid } from 'drizzle-orm/pg-core'
import { service } from './schema.ts'

/** Every xid in use, of every type of resource: its primary key is what makes an xid unique across all of them. */
export const externalIds = service.table('external_ids', {
  xid: text('xid').primaryKey(),
  targetType: text('target_type').notNull(),
  targetId: uuid('target_id').notNull(),
})
