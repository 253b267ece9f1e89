import { readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { makeFolder, query } from './testing-folders.ts'

const folder = makeFolder()
const owner = 'process 123, http://127.0.0.1:3000'
let postgres: EmbeddedPostgres

beforeAll(async () => {
  postgres = await startEmbeddedPostgres(folder, { owner })
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true })
})

test('stores its password in a file that only its owner may read, and its data in such a folder', () => {
  expect(statSync(path.join(folder, 'postgres-password')).mode & 0o777).toBe(0o600)
  expect(statSync(path.join(folder, 'postgres')).mode & 0o777).toBe(0o700)
})

test('refuses a folder that another start is using, and names it', async () => {
  await expect(startEmbeddedPostgres(folder, { owner: 'the second start' })).rejects.toThrow(
    `The folder ${folder} is in use by ${owner}: stop that first, or set DATA_DIR to another folder.`,
  )
  expect(await query(postgres.databaseUrl, 'select 1 as alive')).toEqual([{ alive: 1 }])
})

test('a statement that fails leaves none of its values in the log', async () => {
  await query(postgres.databaseUrl, 'create table secrets (value text primary key)')
  await query(postgres.databaseUrl, "insert into secrets values ('4929000011112222')")
  const again = query(postgres.databaseUrl, "insert into secrets values ('4929000011112222')")
  await expect(again).rejects.toThrow('duplicate key')
  expect(readFileSync(path.join(folder, 'postgres.log'), 'utf8')).not.toContain('4929000011112222')
})

test('has its rows after a stop and a second start', async () => {
  await query(postgres.databaseUrl, 'create table kept as select 7 as value')
  await postgres.stop()
  postgres = await startEmbeddedPostgres(folder, { owner })
  expect(await query(postgres.databaseUrl, 'select value from kept')).toEqual([{ value: 7 }])
})
