import { defineConfig } from 'drizzle-kit'

/** Used by `npm run migrations`, once a schema. */
const schema = process.env.MIGRATIONS_OF
if (schema !== 'service' && schema !== 'console') throw new Error('MIGRATIONS_OF must be service or console')

const tables = { service: ['./lib/service/tables/*.ts'], console: ['./lib/tables/*.ts', './lib/qa/tables.ts'] }

export default defineConfig({
  dialect: 'postgresql',
  schema: tables[schema],
  schemaFilter: [schema],
  out: `./lib/db/migrations/${schema}`,
})
