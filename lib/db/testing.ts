import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { Database } from './connection.ts'
import { keepConnections, type KeptConnections } from './testing-connections.ts'
import { noRows, readRows, restoreRows, type Filled, type Rows } from './testing-rows.ts'
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
type Content = { name: string; write: (db: Database) => Promise<unknown> }

type TestDatabase = { databaseUrl: string; db: Database; close: () => Promise<void> }

/** A database that a test has ended with, or is using. */
type OwnDatabase = { name: string; url: string; connections: KeptConnections; filled: Filled }

/** Databases of this process that no test uses. */
const free: OwnDatabase[] = []
const freeMost = 2

/**
 * A migrated database for a test or a file alone, empty but for the content. After `close` another test may get it, emptied
 * again, with connections for which PostgreSQL has read its tables: a new one costs twice as much.
 */
export async function openTestDatabase(content?: Content): Promise<TestDatabase> {
  const written = content && findWritten(content)
  const rows = written?.rows ?? noRows
  const own = (await reuse(rows)) ?? (await create())
  if (own.filled.rows !== rows && !(await fill(own, rows))) throw new Error('a new database is like the template')
  if (content && !written) await write(own, content)
  const db = own.connections.openPool()
  const close = async () => {
    await own.connections.closePool(db)
    free.push(own)
    const least = free.length > freeMost ? free.shift() : undefined
    if (least) await giveUp(least)
  }
  return { databaseUrl: own.url, db, close }
}

/** A free database with these rows: the one that had them before, if there is one. */
async function reuse(wanted: Rows): Promise<OwnDatabase | undefined> {
  for (;;) {
    const place = free.findLastIndex(({ filled }) => filled.rows === wanted)
    const [own] = free.splice(place, 1)
    if (!own || (await fill(own, wanted))) return own
    await giveUp(own)
  }
}

/** Whether the database could be given these rows. */
async function fill(own: OwnDatabase, wanted: Rows): Promise<boolean> {
  const session = await own.connections.session()
  const filled = await restoreRows(session, own.connections.count(), own.filled, wanted)
  if (filled) own.filled = filled
  return filled !== null
}

async function create(): Promise<OwnDatabase> {
  const { url: postgresUrl, administer } = await (server ??= openServer())
  const name = `test_${randomUUID().replaceAll('-', '')}`
  while (givenUp.length > givenUpMost) await administer(`drop database ${givenUp.shift()} with (force)`)
  await administer(`create database ${name} template ${templateDatabase} strategy file_copy`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return { name, url: url.href, connections: keepConnections(url.href), filled: { rows: noRows, since: 0 } }
}

/** Dropped some databases later: PostgreSQL sleeps 100 ms when it still finds a session of the one that is dropped. */
const givenUp: string[] = []
const givenUpMost = 8

async function giveUp({ name, connections }: OwnDatabase): Promise<void> {
  await connections.end()
  givenUp.push(name)
}

const contents = new Map<string, { madeAt: number; rows: Rows }>()
/** Content counts its times back from when it was written. */
const contentAgeMs = 10_000

/** Content that this process wrote less than 10 s ago: restoring it takes a third of the time of writing it. */
function findWritten({ name }: Content): { rows: Rows } | undefined {
  const written = contents.get(name)
  // A test that sets the time gets content of that time.
  const ageMs = written ? Date.now() - written.madeAt : Infinity
  return ageMs >= 0 && ageMs < contentAgeMs ? written : undefined
}

async function write(own: OwnDatabase, content: Content): Promise<void> {
  const madeAt = Date.now()
  const db = own.connections.openPool()
  await content.write(db)
  await own.connections.closePool(db)
  own.filled = await readRows(await own.connections.session())
  contents.set(content.name, { madeAt, rows: own.filled.rows })
}

/** A migrated database for the running test alone. */
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
