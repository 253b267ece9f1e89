import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { keepPartitions } from '#lib/db/retention.ts'
import { recordAnyEvent } from './events.ts'
import { retentionRules } from './retention.ts'
import { testService } from './testing.ts'

test('events of a clock that was moved far ahead are stored, and its partitions go once it is reset', async () => {
  const service = await testService({ seeded: 1 })
  const { db } = service.service
  const partitions = async () => {
    const { rows } = await db.execute<{ name: string; rows: number }>(sql`
      select inhrelid::regclass::text as name, count(e)::int as rows from pg_inherits
      left join service.events e on e.tableoid = inhrelid where inhparent = 'service.events'::regclass group by 1 order by 1`)
    return rows
  }
  const record = async () => {
    const { now } = (await service.control('GET', '/clock')).json
    await recordAnyEvent({ db, now: new Date(now) }, 'ping', {})
  }
  await keepPartitions(db, retentionRules)
  const before = await partitions()
  expect(before).toHaveLength(3)
  await record()
  expect((await service.control('POST', '/clock', { advance: 'P365D' })).status).toBe(200)
  await record()
  expect((await partitions()).find(({ name }) => name === 'service.events_default')).toMatchObject({ rows: 1 })
  await keepPartitions(db, retentionRules)
  const ahead = await partitions()
  expect(ahead.filter(({ rows }) => rows > 0)).toHaveLength(1)
  expect(ahead.map(({ name }) => name)).not.toEqual(before.map(({ name }) => name))
  expect((await service.control('POST', '/reset')).status).toBe(200)
  await keepPartitions(db, retentionRules)
  expect((await partitions()).map(({ name }) => name)).toEqual(before.map(({ name }) => name))
})
