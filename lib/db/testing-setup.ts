import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrateDatabase } from './migrate.ts'

/** One PostgreSQL for the whole test run, with a migrated template that every test database is copied from. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-test-'))
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
