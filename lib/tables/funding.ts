import { numeric, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { consoleSchema, environmentColumn, instant, money, staffColumns } from './schema.ts'

/** The minimum that staff set for a funding account, and whether the account holds it. */
export const fundingThresholds = consoleSchema.table(
  'funding_thresholds',
  {
    environment: environmentColumn(),
    accountId: text('account_id').notNull(),
    accountName: text('account_name'),
    currency: text('currency'),
    /** `days`: as many days of payouts, at the rate of the last seven days. */
    kind: text('kind').notNull().$type<'amount' | 'days'>(),
    value: numeric('value', { precision: 24, scale: 8 }).notNull(),
    ...staffColumns(),
    setAt: instant('set_at').notNull(),
    /** When the account was looked at last; null before the first time. */
    lookedAt: instant('looked_at'),
    /** The available balance at that time. */
    available: money('available'),
    /** Since when it has been below; null while it is not. */
    lowSince: instant('low_since'),
    /** When the notice of this episode was sent. */
    noticedAt: instant('noticed_at'),
  },
  (table) => [uniqueIndex('funding_thresholds_account').on(table.environment, table.accountId)],
)
