import { customType } from 'drizzle-orm/pg-core'

/**
 * A `jsonb` column of any JSON value. Drizzle's own parses a second time what the driver has parsed: a text that happens to be JSON,
 * such as `"123"`, would come back as what it says.
 */
export const jsonValue = customType<{ data: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
})
