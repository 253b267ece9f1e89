import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '#lib/db/transaction.ts'
import { testService } from './testing.ts'

describe('no request fails because the sandbox is replaced meanwhile', () => {
  test.each([
    ['by a reset', '/reset'],
    ['by a snapshot', '/snapshots/restore'],
  ])('%s', async (_how, path) => {
    const service = await testService({ seeded: 2 })
    const { db } = service.service
    const { json } = await service.control('POST', '/snapshots', { name: 'before' })
    let attempts = 0
    const request = inTransaction(db, async (tx) => {
      attempts += 1
      await tx.execute(sql`select from service.webhooks`)
      // Longer than PostgreSQL waits here before it looks for deadlocks.
      await delay(300)
      await tx.execute(sql`select from service.card_accounts`)
    })
    await delay(100)
    const replaced = service.control('POST', path, path === '/reset' ? {} : { id: json.id })
    await request
    expect(attempts).toBe(1)
    expect((await replaced).status).toBe(200)
  })
})
