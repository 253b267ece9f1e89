import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { connect, type Database } from './connection.ts'
import { addressFile, templateDatabase, type TestServerAddress } from './testing-setup.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the PostgreSQL of this test run leaves its address. */
    testServerFolder: string
  }
}

type TestServer = { url: string; administer: (statement: string) => Promise<unknown> }

let server: Promise<TestServer> | undefined

/** What a test database has in it from its beginning; `name` stands for what `write` writes. */
type Content = { name: string; write: (db: Database) => Promise<void> }

type TestDatabase = { databaseUrl: string; db: Database; close: () => Promise<void> }

/** A migrated database of its own for a test or a file; after `close` it is dropped. */
export async function openTestDatabase(content?: Content): Promise<TestDatabase> {
  return copyOf(content ? await templateWith(content) : templateDatabase)
}

async function copyOf(template: string): Promise<TestDatabase> {
  const { url: postgresUrl, administer } = await (server ??= openServer())
  const name = `test_${randomUUID().replaceAll('-', '')}`
  while (closed.length > closedMost) await administer(`drop database ${closed.shift()} with (force)`)
  await administer(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  const db = connect(url.href, { max: 30, name: 'carddesk test' })
  const close = async () => {
    await db.$client.end()
    closed.push(name)
  }
  return { databaseUrl: url.href, db, close }
}

/** Dropped some databases later: PostgreSQL sleeps 100 ms when it still finds a session of the one that is dropped. */
const closed: string[] = []
const closedMost = 8

/** A migrated database that is dropped after the running test. */
export async function testDatabase(): Promise<Database> {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  return db
}

const templates = new Map<string, { madeAt: number; template: Promise<string> }>()
/** Content counts its times back from when it was written. */
const templateAgeMs = 10_000

/** Copying what this process wrote a moment ago takes a third of the time of writing it again. */
function templateWith({ name, write }: Content): Promise<string> {
  const cached = templates.get(name)
  // A test that sets the time gets content of that time.
  const ageMs = cached ? Date.now() - cached.madeAt : Infinity
  if (cached && ageMs >= 0 && ageMs < templateAgeMs) return cached.template
  const make = async () => {
    const { db, databaseUrl } = await copyOf(templateDatabase)
    await write(db)
    await db.$client.end()
    if (cached) await (await server)?.administer(`drop database ${await cached.template}`)
    return new URL(databaseUrl).pathname.slice(1)
  }
  const template = make()
  templates.set(name, { madeAt: Date.now(), template })
  template.catch(() => templates.delete(name))
  return template
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
