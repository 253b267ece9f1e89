import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { connect, type Database } from './connection.ts'

export const schemaNames = ['service', 'console'] as const

const folder = path.join(import.meta.dirname, 'migrations')
const lockKey = 7_263_001

/**
 * Brings both schemas to the newest version. Processes that start together take turns. A role that may not create anything needs a
 * database that another one has brought there: throws otherwise.
 */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, { max: 1, name: 'carddesk migrate' })
  try {
    await db.execute(sql`select pg_advisory_lock(${lockKey})`)
    const { rows } = await db.execute<{ mayCreate: boolean }>(
      sql`select has_database_privilege(current_database(), 'create') as "mayCreate"`,
    )
    if (!rows[0]?.mayCreate) return await requireNewest(db)
    for (const schema of schemaNames) {
      await migrate(db, {
        migrationsFolder: path.join(folder, schema),
        migrationsSchema: 'migrations',
        migrationsTable: schema,
      })
    }
    await db.execute(sql`create schema if not exists launch`)
    await db.execute(
      sql`create table if not exists launch.key_fingerprints (name text primary key, sha256 text not null)`,
    )
    await db.$client.query(readFileSync(path.join(folder, 'partitions.sql'), 'utf8'))
  } finally {
    await db.$client.end()
  }
}

/** Throws where a schema lacks a migration. */
async function requireNewest(db: Database): Promise<void> {
  for (const schema of schemaNames) {
    const journal = readFileSync(path.join(folder, schema, 'meta', '_journal.json'), 'utf8')
    const { entries } = JSON.parse(journal) as { entries: { when: number }[] }
    const applied = sql`select max(created_at)::float8 as newest from migrations.${sql.identifier(schema)}`
    const { rows } = await db.execute<{ newest: number }>(applied).catch(() => ({ rows: [] }))
    if ((rows[0]?.newest ?? 0) < (entries.at(-1)?.when ?? 0))
      throw new Error(
        'it is of an older version, and this role may create nothing: run npm run migrate as the owner of its tables',
      )
  }
}
