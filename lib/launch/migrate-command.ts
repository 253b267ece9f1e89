import { migrateDatabase } from '#lib/db/migrate.ts'
import { parseSettings } from '#lib/settings/settings.ts'
import { loadEnv } from './command.ts'
import { runCommand } from './run-command.ts'

const usage = `Usage: npm run migrate

Brings the database of DATABASE_OWNER_URL, or of DATABASE_URL, to the version of this installation, as every start does. A console
whose own role may not create tables starts afterwards.`

/** `npm run migrate`: for an installation whose processes do not have the credentials of the tables' owner. */
async function migrate(): Promise<number> {
  loadEnv()
  const { values, mistakes } = parseSettings(process.env, ['DATABASE_OWNER_URL', 'DATABASE_URL'])
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  const databaseUrl = values.DATABASE_OWNER_URL ?? values.DATABASE_URL
  if (databaseUrl === undefined)
    throw new Error('DATABASE_OWNER_URL or DATABASE_URL must be set. The embedded database is migrated by npm start.')
  await migrateDatabase(databaseUrl)
  console.log('The database is of the newest version.')
  return 0
}

await runCommand(migrate, { usage, failure: 1 })
