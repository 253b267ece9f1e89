import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'

/** The caller removes it. */
export function makeFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'carddesk-postgres-'))
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** A folder of its own for the running test, with nothing in it. */
export function newFolder(): string {
  const folder = makeFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** For a file: makes folders in which an embedded PostgreSQL was started and stopped before, each for the running test. */
export function usedFolders(): () => Promise<string> {
  let first: Promise<string> | undefined
  const makeFirst = async () => {
    const folder = makeFolder()
    await (await startEmbeddedPostgres(folder)).stop()
    return folder
  }
  afterAll(async () => {
    if (first) removeFolder(await first)
  })
  return async () => {
    const folder = newFolder()
    cpSync(await (first ??= makeFirst()), folder, { recursive: true })
    // PostgreSQL refuses a folder that others may enter, and a copy is one.
    chmodSync(path.join(folder, 'postgres'), 0o700)
    return folder
  }
}

/** Stopped when the running test ends. */
export async function start(folder: string, owner = 'the first start'): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(folder, { owner })
  onTestFinished(() => postgres.stop())
  return postgres
}

export async function query(databaseUrl: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query(text)
    return rows
  } finally {
    await client.end()
  }
}
