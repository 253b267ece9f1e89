import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { migrateDatabase } from './migrate.ts'
import { changesOfDefinitions } from './testing-rows.ts'
import { addressFile, templateDatabase, type TestServerAddress } from './testing-setup.ts'

/**
 * The PostgreSQL of a test run, in a process of its own: it starts while the first test files are loaded, and it ends with
 * the run, however that ends.
 */
const folder = process.argv[2]
if (!folder) throw new Error('testing-server is given the folder of the test run')

/** Whole or not there at all, since the tests read it as soon as it is there. */
function notify(address: TestServerAddress): void {
  const file = addressFile(folder ?? '')
  writeFileSync(`${file}.new`, JSON.stringify(address))
  renameSync(`${file}.new`, file)
}

async function start(at: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(at, { durable: false })
  const maintenance = new URL(postgres.databaseUrl)
  maintenance.pathname = '/postgres'
  const template = new URL(postgres.databaseUrl)
  template.pathname = `/${templateDatabase}`
  const client = new Client({ connectionString: maintenance.href })
  await client.connect()
  // What runs now and then would only hold up the copying of the template.
  await client.query('alter system set autovacuum = off')
  // A test whose transactions lock each other out waits this long.
  await client.query(`alter system set deadlock_timeout = '100ms'`)
  // Its folder lets nobody else at the socket.
  const whoMayConnect = 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n'
  writeFileSync(path.join(at, 'postgres', 'pg_hba.conf'), whoMayConnect)
  await client.query('select pg_reload_conf()')
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  await migrateDatabase(template.href)
  await watchDefinitions(template.href)
  notify({ url: process.platform === 'win32' ? maintenance.href : overSocket(maintenance, at) })
  return postgres
}

/** A statement over a socket file takes a fifth less of the processor than one over TCP. */
function overSocket({ href, hostname }: URL, folder: string): string {
  return href.replace(hostname, encodeURIComponent(folder))
}

async function watchDefinitions(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(changesOfDefinitions)
  await client.end()
}

const starting = start(folder).catch((error: unknown) => {
  notify({ failure: error instanceof Error ? error.message : String(error) })
  return null
})

process.once('disconnect', () => {
  void starting
    .then((postgres) => postgres?.stop())
    .finally(() => {
      rmSync(folder, { recursive: true, force: true })
      process.exit(0)
    })
})
