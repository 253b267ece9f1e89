import { expect, onTestFinished, test } from 'vitest'
import { closeDatabases } from '#lib/db/connection.ts'
import { openTestDatabase } from '#lib/db/testing.ts'
import { isReady } from './readiness.ts'

const readOnly = '?options=-c%20default_transaction_read_only%3Don'

test.each([
  ['is ready with a database that accepts writes', (url: string) => url, true],
  ['is not with one that only reads, as a standby does', (url: string) => `${url}${readOnly}`, false],
  ['is not with one that is not there', () => 'postgres://nobody@127.0.0.1:1/none', false],
])('a process %s', async (_, toUrl, expected) => {
  const { databaseUrl, close } = await openTestDatabase()
  process.env.DATABASE_URL = toUrl(databaseUrl)
  onTestFinished(async () => {
    await closeDatabases()
    const stored = globalThis as { carddeskDatabases?: unknown; carddeskReadiness?: unknown }
    delete stored.carddeskDatabases
    delete stored.carddeskReadiness
    await close()
  })
  expect(await isReady()).toBe(expected)
})
