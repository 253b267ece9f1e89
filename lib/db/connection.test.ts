import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { testDatabase } from './testing.ts'

test('a connection that is lost between two statements of a transaction fails the next one, and not the process', async () => {
  const db = await testDatabase()
  const client = await db.$client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const ended = vi.fn<() => void>()
    client.once('end', ended)
    await db.execute(sql`select pg_terminate_backend(${rows[0].pid}::integer)`)
    await vi.waitFor(() => expect(ended).toHaveBeenCalled())
    await expect(client.query('select 1')).rejects.toThrow()
  } finally {
    client.release(true)
  }
  expect((await db.execute<{ one: number }>(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
})
