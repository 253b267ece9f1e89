import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { connect, type Database } from '#lib/db/connection.ts'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { migrateDatabase } from '#lib/db/migrate.ts'
import { embeddedUrl } from '#lib/db/postgres-owner.ts'
import { findPostmaster } from '#lib/db/postmaster.ts'
import type { Settings } from './check-settings.ts'

export type LaunchedDatabase = { databaseUrl: string; label: string; stop: () => Promise<void> }

/**
 * The database that the settings name, or the embedded one, brought to the newest version. Throws an `Error` with one
 * line, which never holds a password. Only the migration uses the owner's address.
 */
export async function launchDatabase(
  settings: Settings,
  dataDir: string,
  owner: string,
  events: { onLost: (reason: string) => void; whileStarting?: () => unknown },
): Promise<LaunchedDatabase> {
  const database = settings.DATABASE_URL
    ? await connectTo(settings.DATABASE_URL)
    : await embedded(dataDir, { owner, ...events })
  try {
    await migrateDatabase(settings.DATABASE_OWNER_URL ?? database.databaseUrl)
  } catch (error) {
    await database.stop()
    throw new Error(`The database could not be brought to the newest version: ${formatReason(error)}.`, {
      cause: error,
    })
  }
  return database
}

async function embedded(
  dataDir: string,
  options: Parameters<typeof startEmbeddedPostgres>[1],
): Promise<LaunchedDatabase> {
  const postgres = await startEmbeddedPostgres(dataDir, options)
  return { ...postgres, label: `embedded PostgreSQL, in ${path.join(dataDir, 'postgres')}` }
}

async function connectTo(databaseUrl: string): Promise<LaunchedDatabase> {
  const { host, pathname } = new URL(databaseUrl)
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
  } catch (error) {
    throw new Error(
      `DATABASE_URL: the database ${pathname.slice(1)} at ${host} cannot be used: ${formatReason(error)}.`,
      {
        cause: error,
      },
    )
  } finally {
    await client.end().catch(() => undefined)
  }
  return { databaseUrl, label: `PostgreSQL at ${host}`, stop: async () => undefined }
}

/** Lends a command the console's database: the one that the settings name, or the embedded one of the running server. */
export async function withDatabase<Value>(
  settings: Settings,
  name: string,
  work: (db: Database) => Promise<Value>,
): Promise<Value> {
  const databaseUrl = settings.DATABASE_URL ?? runningDatabaseUrl(path.resolve(settings.DATA_DIR))
  const db = connect(databaseUrl, { max: 1, name })
  try {
    return await work(db)
  } finally {
    await db.$client.end()
  }
}

/** The embedded database of the server that runs on a folder. Throws an `Error` with a message for people. */
export function runningDatabaseUrl(dataDir: string): string {
  const passwordFile = path.join(dataDir, 'postgres-password')
  const postmaster = findPostmaster(path.join(dataDir, 'postgres'))
  if (!postmaster || !existsSync(passwordFile)) {
    throw new Error(`No server is running on ${dataDir}. Start it with npm start, or set DATA_DIR or DATABASE_URL.`)
  }
  return embeddedUrl(readFileSync(passwordFile, 'utf8'), postmaster.port)
}

function formatReason(error: unknown): string {
  const reasons = error instanceof AggregateError ? error.errors : [error]
  const causes = reasons.map((reason) =>
    reason instanceof Error && reason.cause instanceof Error ? reason.cause : reason,
  )
  return causes.map((reason) => (reason instanceof Error ? reason.message : String(reason))).join('; ')
}
