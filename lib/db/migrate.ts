import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { connect } from './connection.ts'

export const schemaNames = ['service', 'console'] as const

const folder = path.join(import.meta.dirname, 'migrations')
const lockKey = 7_263_001

/** Brings both schemas to the newest version. Processes that start together take turns. */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, { max: 1, name: 'carddesk migrate' })
  try {
    await db.execute(sql`select pg_advisory_lock(${lockKey})`)
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
