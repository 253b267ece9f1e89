import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { connect, type Database } from './connection.ts'
import { addressFile, templateDatabase, type TestServerAddress } from './testing-address.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the PostgreSQL of this test run leaves its address. */
    testServerFolder: string
  }
}

type TestServer = { url: string; administer: (statement: string) => Promise<unknown> }

let server: Promise<TestServer> | undefined

/** A migrated database of its own for a test or a file; `close` drops it. */
export async function openTestDatabase(): Promise<{ databaseUrl: string; db: Database; close: () => Promise<void> }> {
  const { url: postgresUrl, administer } = await (server ??= openServer())
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} template ${templateDatabase} strategy file_copy`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  const db = connect(url.href, { max: 20, name: 'carddesk test' })
  const close = async () => {
    await db.$client.end()
    await administer(`drop database ${name} with (force)`)
  }
  return { databaseUrl: url.href, db, close }
}

/** The same, dropped when the running test ends. */
export async function testDatabase(): Promise<Database> {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  return db
}

/** One session for all the databases that this process makes. */
async function openServer(): Promise<TestServer> {
  const { url } = await readAddress()
  const client = new Client({ connectionString: url, application_name: 'carddesk test' })
  client.on('error', () => {
    // The run is over and its server with it.
  })
  await client.connect()
  return { url, administer: (statement) => client.query(statement) }
}

const startMs = 60_000

async function readAddress(): Promise<{ url: string }> {
  const file = addressFile(inject('testServerFolder'))
  const deadline = Date.now() + startMs
  while (!existsSync(file)) {
    if (Date.now() > deadline) throw new Error(`The PostgreSQL of the test run has not started within ${startMs} ms.`)
    await delay(20)
  }
  const address = JSON.parse(readFileSync(file, 'utf8')) as TestServerAddress
  if ('failure' in address) throw new Error(address.failure)
  return address
}
