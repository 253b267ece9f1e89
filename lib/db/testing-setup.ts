import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrateDatabase } from './migrate.ts'

/** One PostgreSQL for the whole test run, with a migrated template that every test database is copied from. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(quickestFolder(), 'carddesk-test-'))
  const postgres = await startEmbeddedPostgres(folder, { durable: false })
  const template = new URL(postgres.databaseUrl)
  template.pathname = '/carddesk_template'
  const maintenance = new URL(postgres.databaseUrl)
  maintenance.pathname = '/postgres'
  const client = new Client({ connectionString: maintenance.href })
  await client.connect()
  await client.query('create database carddesk_template')
  await client.end()
  await migrateDatabase(template.href)
  project.provide('postgresUrl', maintenance.href)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const memoryFolder = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

/** Databases that are thrown away are copied six times as fast in memory, where there is room for them. */
function quickestFolder(): string {
  if (!existsSync(memoryFolder)) return tmpdir()
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize >= neededBytes ? memoryFolder : tmpdir()
}
