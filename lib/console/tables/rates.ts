import { index, numeric, primaryKey, text } from 'drizzle-orm/pg-core'
import { consoleSchema, environmentColumn, instant } from './schema.ts'

/** What the service said a rate was, and when it was asked: the history that the service does not keep. */
export const rateSamples = consoleSchema.table(
  'rate_samples',
  {
    environment: environmentColumn(),
    baseCurrency: text('base_currency').notNull(),
    currency: text('currency').notNull(),
    /** When the request left, by the console's clock. */
    at: instant('at').notNull(),
    /** Units of `currency` per unit of `baseCurrency`. */
    rate: numeric('rate', { precision: 30, scale: 12 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.baseCurrency, table.currency, table.at] }),
    index('rate_samples_at').on(table.at),
  ],
)
