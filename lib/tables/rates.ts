import { index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { consoleSchema, environmentColumn, instant } from './schema.ts'

/** The service's rates, and when they were fetched: the history that the service does not have. */
export const rateSamples = consoleSchema.table(
  'rate_samples',
  {
    environment: environmentColumn(),
    baseCurrency: text('base_currency').notNull(),
    /** When the request left, by the console's clock. */
    at: instant('at').notNull(),
    /** Units of each currency per unit of the base, as decimal text: every digit that the service sent. */
    rates: jsonb('rates').notNull().$type<Record<string, string>>(),
    /** Rates of the response that were left out: malformed, or not above 0. */
    excluded: integer('excluded').notNull().default(0),
    /** The first sample of a minute is stored for 30 days; those between are stored for a day. */
    keptUntil: instant('kept_until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.baseCurrency, table.at] }),
    index('rate_samples_kept_until').on(table.keptUntil),
  ],
)

/** When the rates of a base were last requested: the process that moves `askedAt` on sends the request. */
export const rateReadings = consoleSchema.table(
  'rate_readings',
  {
    environment: environmentColumn(),
    baseCurrency: text('base_currency').notNull(),
    askedAt: instant('asked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.baseCurrency] })],
)
