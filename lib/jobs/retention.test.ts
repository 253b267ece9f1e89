import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { applyRules, deleteExpired, keepPartitions } from '#lib/db/retention.ts'
import { retentionRules as serviceRules } from '#lib/service/retention.ts'
import { events } from '#lib/service/tables/webhooks.ts'
import { dayMs } from '#lib/shared/time.ts'
import { inboxEvents, inboxIds } from '#lib/tables/inbox.ts'
import { retentionRules } from './retention.ts'

const desk = shareConsole({ seeded: 1 })
const rules = [...retentionRules, ...serviceRules]

/** Tables from which nothing is deleted by age, and why none of them grows without an end that somebody chose. */
const staying: Record<string, string> = {
  'console.audit_entries': 'never deleted: the audit log',
  'console.audit_repeats': 'written to the audit log and deleted within a minute',
  'console.audit_checkpoint_files': 'a row for each file',
  'console.audit_entry_sinks': 'a row for each sink',
  'console.operations': 'never deleted: the record of what was sent',
  'console.approvals': 'never deleted: the record of who approved what',
  'console.bulk_jobs': 'never deleted: the record of what was started',
  'console.bulk_items': 'never deleted: the record of what was sent',
  'console.policies': 'never deleted: the record of who changed a policy',
  'console.notes': 'never deleted: staff wrote them',
  'console.saved_views': 'staff delete them',
  'console.funding_thresholds': 'one for each funding account',
  'console.staff': 'a row for each person',
  'console.passkeys': 'staff remove them',
  'console.embed_keys': 'admins remove them',
  'console.card_status_changes': 'the history of a card, which the service does not have',
  'console.index_accounts': 'as many as the service has',
  'console.index_cards': 'as many as the service has',
  'console.index_payouts': 'as many as the service has',
  'console.payout_states': 'a few for each payout',
  'console.index_payout_progress': 'a row for each environment',
  'console.index_account_progress': 'a row for each environment',
  'console.index_transactions': 'as many as the service has',
  'console.index_merchants': 'as many as the service has',
  'console.index_transaction_progress': 'a row for each account of the service',
  'console.index_fees': 'as many as the service has',
  'console.index_fee_progress': 'a row for each environment',
  'console.index_ledger': 'as many as the service has',
  'console.index_ledger_progress': 'a row for each environment',
  'console.environment_health': 'a row for each environment',
  'console.connection_checks': 'a row for each environment',
  'console.webhook_polls': 'a row for each environment',
  'console.endpoint_problems': 'a row for each endpoint',
  'console.deviations': 'bounded where it is written',
  'console.inbox_counts': 'three rows a day',
  'console.watched_webhooks': 'as many as the service has',
  'console.webhook_transitions': 'a row for each incident',
  'console.webhook_notices': 'a few for each incident',
  'console.scenario_runs': 'bounded where it is written',
  'console.scenario_recordings': 'staff delete them',
  'console.scenario_cases': 'go with their run',
  'service.webhook_attempts': 'bounded where it is written: the newest 20,000',
  'service.webhook_messages': 'delivered, or removed with their webhook after a day',
  'service.due_work': 'deleted when performed',
  'service.faults': 'used up or disarmed',
  'service.access_keys': 'a row for each caller',
  'service.service_keys': 'a row for each key',
  'service.clock': 'one row',
  'service.modes': 'one row',
  'service.external_ids': 'one for each record that has one',
  ...Object.fromEntries(
    'accounts account_transactions card_accounts card_account_transactions cards fees payouts products quotes webhooks'
      .split(' ')
      .map((name) => [`service.${name}`, 'what the sandbox is about']),
  ),
}

test('of every table somebody has decided what is deleted, and after which time', async () => {
  const { rows } = await desk.db.execute<{ name: string }>(sql`
    select relnamespace::regnamespace || '.' || relname as name from pg_class
    where relnamespace in ('console'::regnamespace, 'service'::regnamespace) and relkind in ('r', 'p') and not relispartition`)
  const ruled = rules.map(({ table }) => {
    const { schema, name } = getTableConfig(table)
    return `${schema}.${name}`
  })
  const named = new Set([...ruled, ...Object.keys(staying)])
  expect(rows.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  expect([...named].filter((name) => !rows.some((row) => row.name === name))).toEqual([])
})

test('docs/deploy.md has every rule', () => {
  const docs = readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', 'deploy.md'), 'utf8')
  const listed = docs.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  for (const { what, after } of rules) expect(listed, what).toContainEqual(['', what, after, ''])
})

test('every rule can be carried out on an empty and on a used database, and leaves what is fresh', async () => {
  await desk.signIn('operations')
  await deleteExpired(desk.db, rules)
  expect(await desk.signIn('viewer')).not.toBeNull()
  const sessions = () => desk.db.execute(sql`select from console.sessions`)
  expect((await sessions()).rowCount).toBeGreaterThan(0)
  await deleteExpired(desk.db, rules, new Date(Date.now() + dayMs))
  expect((await sessions()).rowCount).toBe(0)
})

const event = (id: string, receivedAt: Date, appliedAt: Date | null = new Date()) => ({
  environment: 'sandbox' as const,
  id,
  event: 'ping',
  body: '{}',
  isKnown: true,
  receivedAt,
  appliedAt,
  nextAttemptAt: new Date(),
})
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

test('batches of two processes delete every expired row once, and wait for no row that somebody holds', async () => {
  const numbers = Array.from({ length: 95 }, (_, index) => index)
  await desk.db.insert(inboxEvents).values(numbers.map((id) => event(`event-${id}`, daysAgo(46))))
  const client = await desk.db.$client.connect()
  await client.query(`begin; select from console.inbox_events where id = 'event-7' for update`)
  const deleted = await Promise.all([1, 2].map(() => deleteExpired(desk.db, retentionRules, new Date(), 10)))
  await client.query('rollback')
  client.release()
  expect(deleted.reduce((sum, count) => sum + count)).toBe(94)
  expect(await desk.db.select({ id: inboxEvents.id }).from(inboxEvents)).toEqual([{ id: 'event-7' }])
  await desk.db.delete(inboxEvents)
})

const inboxRules = retentionRules.filter(({ table }) => table === inboxEvents || table === inboxIds)

async function eventsByPartition(): Promise<Record<string, string[]>> {
  const { rows } = await desk.db.execute<{ partition: string; ids: string[] }>(sql`
    select tableoid::regclass::text as partition, array_agg(id order by id) as ids from console.inbox_events group by 1`)
  return Object.fromEntries(rows.map(({ partition, ids }) => [partition.replace('console.inbox_events_', ''), ids]))
}

/** Makes partitions of the past, the earliest first, as they were made while these lasted. */
async function makePartitions(...instants: Date[]): Promise<void> {
  const rules = inboxRules.map((rule) => ({
    ...rule,
    partitions: rule.partitions && { ...rule.partitions, days: 300 },
  }))
  for (const instant of instants) await keepPartitions(desk.db, rules, instant)
}

const partitionOf = (date: Date) => {
  const origin = Date.UTC(2001, 0, 1)
  const start = date.getTime() - ((date.getTime() - origin) % (15 * dayMs))
  return `${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}00`
}

test('an expired partition goes as a whole, one with an unapplied event loses the others, and ids stay with their events', async () => {
  const [gone, held, fresh] = [daysAgo(100), daysAgo(80), daysAgo(3)]
  await makePartitions(gone, held, fresh)
  const received = [
    event('gone', gone),
    event('held', held, null),
    event('beside', held),
    event('fresh', fresh),
    event('outside', daysAgo(400)),
    event('ahead', daysAgo(-400)),
  ]
  await desk.db.insert(inboxEvents).values(received)
  await desk.db.insert(inboxIds).values(received)
  expect(await eventsByPartition()).toEqual({
    [partitionOf(gone)]: ['gone'],
    [partitionOf(held)]: ['beside', 'held'],
    [partitionOf(fresh)]: ['fresh'],
    default: ['ahead', 'outside'],
  })
  await keepPartitions(desk.db, inboxRules)
  expect(await eventsByPartition()).toEqual({
    [partitionOf(held)]: ['beside', 'held'],
    [partitionOf(fresh)]: ['fresh'],
    default: ['ahead', 'outside'],
  })
  await applyRules(desk.db, inboxRules)
  expect(await eventsByPartition()).toEqual({
    [partitionOf(held)]: ['held'],
    [partitionOf(fresh)]: ['fresh'],
    default: ['ahead'],
  })
  const ids = await desk.db.select({ id: inboxIds.id }).from(inboxIds).orderBy(inboxIds.id)
  expect(ids.map(({ id }) => id)).toEqual(['ahead', 'fresh', 'held'])
  await keepPartitions(desk.db, inboxRules, daysAgo(-393))
  expect(await eventsByPartition()).toMatchObject({ [partitionOf(daysAgo(-400))]: ['ahead'] })
  await desk.db.delete(inboxEvents)
  await keepPartitions(desk.db, inboxRules)
  const { rows: left } = await desk.db.execute<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'console.inbox_events'::regclass order by 1`)
  const names = [0, -15].map(daysAgo).map((day) => `console.inbox_events_${partitionOf(day)}`)
  expect(left.map(({ name }) => name)).toEqual([...names, 'console.inbox_events_default'].toSorted())
})

test('a partition that somebody reads is dropped by a later round, and deliveries are stored meanwhile', async () => {
  await makePartitions(daysAgo(100))
  await desk.db.insert(inboxEvents).values(event('old', daysAgo(100)))
  const client = await desk.db.$client.connect()
  await client.query('begin; select from console.inbox_events')
  const dropping = keepPartitions(desk.db, inboxRules)
  await desk.db.insert(inboxEvents).values(event('new', new Date()))
  await dropping
  const before = await eventsByPartition()
  await client.query('rollback')
  client.release()
  expect(Object.values(before).flat().toSorted()).toEqual(['new', 'old'])
  await keepPartitions(desk.db, inboxRules)
  expect(await eventsByPartition()).toEqual({ [partitionOf(new Date())]: ['new'] })
  await desk.db.delete(inboxEvents)
})

test.each([
  ['a table that is not partitioned', sql`'console.staff', '7 days', '30 days', now(), null`],
  ['a table of another schema', sql`'pg_class', '7 days', '30 days', now(), null`],
  ['no width', sql`'console.inbox_events', null, '30 days', now(), 'applied_at'`],
  ['a width of years', sql`'console.inbox_events', '9 years', '30 days', now(), 'applied_at'`],
  ['a time of nothing', sql`'console.inbox_events', '7 days', '0 days', now(), 'applied_at'`],
  ['an instant that never comes', sql`'console.inbox_events', '7 days', '30 days', 'infinity', 'applied_at'`],
  [
    'a column that does not exist',
    sql`'console.inbox_events', '7 days', '30 days', now(), 'x; drop table console.staff'`,
  ],
])('partitions of %s are refused', async (_, args) => {
  await expect(desk.db.execute(sql`select launch.keep_partitions(${args})`)).rejects.toThrow()
})

test('a row of a partitioned table cannot be deleted by its ctid alone, which other partitions have, too', async () => {
  for (const table of [inboxEvents, events]) {
    const deletion = desk.db.execute(sql`delete from ${table} where ctid = any(array(select ctid from ${table}))`)
    await expect(deletion).rejects.toMatchObject({ cause: { message: expect.stringContaining('is partitioned') } })
  }
})
