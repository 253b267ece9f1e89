import { defineConfig } from 'drizzle-kit'

/** Used by `npm run migrations`, once a schema. */
const schema = process.env.MIGRATIONS_OF
if (schema !== 'service' && schema !== 'console') throw new Error('MIGRATIONS_OF must be service or console')

const tables = { service: 'lib/service/tables', console: 'lib/tables' }

export default defineConfig({
  dialect: 'postgresql',
  schema: `./${tables[schema]}/*.ts`,
  schemaFilter: [schema],
  out: `./lib/db/migrations/${schema}`,
})
