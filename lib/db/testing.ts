import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { connect, type Database } from './connection.ts'

export const templateDatabase = 'carddesk_template'

declare module 'vitest' {
  interface ProvidedContext {
    /** Maintenance address of the PostgreSQL that this test run started. */
    postgresUrl: string
  }
}

/** A migrated database of its own for a test or a file; `close` drops it. */
export async function openTestDatabase(): Promise<{ databaseUrl: string; db: Database; close: () => Promise<void> }> {
  const postgresUrl = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(postgresUrl, `create database ${name} template ${templateDatabase} strategy file_copy`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  const db = connect(url.href, { max: 20, name: 'carddesk test' })
  const close = async () => {
    await db.$client.end()
    await administer(postgresUrl, `drop database ${name} with (force)`)
  }
  return { databaseUrl: url.href, db, close }
}

/** The same, dropped when the running test ends. */
export async function testDatabase(): Promise<Database> {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  return db
}

async function administer(postgresUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
