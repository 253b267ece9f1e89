import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { deleteExpired } from '#lib/db/retention.ts'
import { retentionRules as serviceRules } from '#lib/service/retention.ts'
import { dayMs } from '#lib/shared/time.ts'
import { shareConsole } from '../testing/open-console.ts'
import { retentionRules } from './retention.ts'
import { inboxEvents } from './tables/inbox.ts'

const desk = shareConsole({ seeded: 1 })
const rules = [...retentionRules, ...serviceRules]

/** Tables from which nothing is deleted by age, and why none of them grows without an end that somebody chose. */
const staying: Record<string, string> = {
  'console.audit_entries': 'never deleted: the audit log',
  'console.audit_repeats': 'written to the audit log and deleted within a minute',
  'console.audit_checkpoint_files': 'a row for each file',
  'console.operations': 'never deleted: the record of what was sent',
  'console.approvals': 'never deleted: the record of who approved what',
  'console.bulk_jobs': 'never deleted: the record of what was started',
  'console.bulk_items': 'never deleted: the record of what was sent',
  'console.policies': 'never deleted: the record of who changed a policy',
  'console.notes': 'never deleted: staff wrote them',
  'console.saved_views': 'staff delete them',
  'console.staff': 'a row for each person',
  'console.passkeys': 'staff remove them',
  'console.embed_keys': 'admins remove them',
  'console.card_status_changes': 'the history of a card, which the service does not have',
  'console.directory_accounts': 'as many as the service has',
  'console.directory_cards': 'as many as the service has',
  'console.directory_payouts': 'as many as the service has',
  'console.payout_states': 'a few for each payout',
  'console.payout_readings': 'a row for each environment',
  'console.directory_state': 'a row for each environment',
  'console.honoured_keys': 'a row for each environment',
  'console.service_health': 'a row for each environment',
  'console.connection_checks': 'a row for each environment',
  'console.webhook_looks': 'a row for each environment',
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
    select schemaname || '.' || tablename as name from pg_tables where schemaname in ('console', 'service')`)
  const ruled = rules.map(({ table }) => {
    const { schema, name } = getTableConfig(table)
    return `${schema}.${name}`
  })
  const named = new Set([...ruled, ...Object.keys(staying)])
  expect(rows.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  expect([...named].filter((name) => !rows.some((row) => row.name === name))).toEqual([])
})

test('docs/deploy.md has every rule', () => {
  const docs = readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'docs', 'deploy.md'), 'utf8')
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

test('batches of two processes delete every expired row once, and wait for no row that somebody holds', async () => {
  const event = (id: number) => ({
    environment: 'sandbox' as const,
    id: `event-${id}`,
    event: 'ping',
    body: '{}',
    isKnown: true,
    receivedAt: new Date(Date.now() - 31 * dayMs),
    appliedAt: new Date(),
    nextAttemptAt: new Date(),
  })
  const numbers = Array.from({ length: 95 }, (_, index) => index)
  await desk.db.insert(inboxEvents).values(numbers.map(event))
  const client = await desk.db.$client.connect()
  await client.query(`begin; select from console.inbox_events where id = 'event-7' for update`)
  const deleted = await Promise.all([1, 2].map(() => deleteExpired(desk.db, retentionRules, new Date(), 10)))
  await client.query('rollback')
  client.release()
  expect(deleted.reduce((sum, count) => sum + count)).toBe(94)
  expect(await desk.db.select({ id: inboxEvents.id }).from(inboxEvents)).toEqual([{ id: 'event-7' }])
})
