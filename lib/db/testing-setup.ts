import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

/** The database that every test database is copied from: migrated, and empty. */
export const templateDatabase = 'carddesk_template'

/** What the test run's PostgreSQL writes into its folder as soon as it can be used, or cannot be started. */
export type TestServerAddress = { url: string } | { failure: string }

export function addressFile(folder: string): string {
  return path.join(folder, 'address.json')
}

/**
 * Starts one PostgreSQL for the whole test run and does not wait for it: the first test that wants a database does, and a
 * run that wants none never notices.
 */
export default function setUp(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(path.join(quickestFolder(), 'carddesk-test-'))
  const server = fork(fileURLToPath(new URL('./testing-server.ts', import.meta.url)), [folder])
  const ended = once(server, 'exit')
  project.provide('testServerFolder', folder)
  return async () => {
    if (server.connected) server.disconnect()
    await ended
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
