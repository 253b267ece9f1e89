import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { recordAudit, verifyAuditChain } from '#lib/audit/chain.ts'
import { auditEntries, type AuditEvent } from '#lib/tables/audit.ts'
import { operations } from '#lib/tables/operations.ts'
import { cardIn } from '../testing/cards.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { listAudit } from './list.ts'

const event = (number: number): AuditEvent => ({
  by: { id: '5d1c7a52-0000-4000-8000-000000000003', name: 'Olivia Poon', role: 'operations' },
  environment: number % 3 === 0 ? null : 'sandbox',
  act: number % 2 === 0 ? 'card.lock' : 'card.unlock',
  target: { type: 'card', id: `card-${number}`, parentId: null, label: null },
  outcome: number % 5 === 0 ? 'refused' : 'done',
})

async function trailOf(entries: number): Promise<TestConsole> {
  const desk = await openConsole({ seeded: 1 })
  for (let number = 1; number <= entries; number += 1) await recordAudit(desk.db, event(number))
  return desk
}

/** What somebody with the database's own password could do. */
async function tamper(desk: TestConsole, statement: string): Promise<void> {
  await desk.db.execute(sql.raw('alter table console.audit_entries disable trigger all'))
  await desk.db.execute(sql.raw(statement))
  await desk.db.execute(sql.raw('alter table console.audit_entries enable trigger all'))
}

test('entries cannot be changed, deleted or truncated', async () => {
  const desk = await trailOf(2)
  for (const statement of [
    "update console.audit_entries set outcome = 'done'",
    'delete from console.audit_entries',
    'truncate console.audit_entries',
  ]) {
    await expect(desk.db.execute(sql.raw(statement))).rejects.toMatchObject({
      cause: { message: 'the audit trail is append-only' },
    })
  }
  expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true, entries: 2 })
})

test('fifty entries appended at once form one chain without gaps', async () => {
  const desk = await openConsole({ seeded: 1 })
  await Promise.all(Array.from({ length: 50 }, (_, index) => recordAudit(desk.db, event(index))))
  expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true, entries: 50 })
})

test('every edit of every column is found, at the entry that was edited', async () => {
  const desk = await trailOf(6)
  const columns: Record<string, string> = {
    at: "at + interval '1 second'",
    staff_id: 'gen_random_uuid()',
    staff_name: "'Somebody Else'",
    staff_role: "'viewer'",
    environment: "'production'",
    act: "'card.cancel'",
    target_type: "'account'",
    target_id: "'other'",
    target_parent_id: "'other'",
    target_label: "'other'",
    outcome: "case when outcome = 'done' then 'refused' else 'done' end",
    code: "'X'",
    reason: "'other'",
    comment: "'other'",
    operation_id: 'gen_random_uuid()',
    request_id: "'other'",
    details: "'other'",
    hash: "repeat('f', 64)",
    previous_hash: "repeat('f', 64)",
  }
  const [whole] = (await desk.db.execute(sql`select jsonb_agg(to_jsonb(e)) as rows from console.audit_entries e`)).rows
  for (const [column, value] of Object.entries(columns)) {
    await tamper(desk, `update console.audit_entries set ${column} = ${value} where number = 4`)
    const verdict = await verifyAuditChain(desk.db)
    expect(verdict, column).toMatchObject({ holds: false, number: 4 })
    await tamper(desk, 'delete from console.audit_entries')
    await desk.db.execute(
      sql`insert into console.audit_entries select * from jsonb_populate_recordset(null::console.audit_entries, ${JSON.stringify(whole?.rows)}::jsonb)`,
    )
    expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true, entries: 6 })
  }
})

test('deleting or swapping entries anywhere but at the end is found', async () => {
  const desk = await trailOf(8)
  const [whole] = (await desk.db.execute(sql`select jsonb_agg(to_jsonb(e)) as rows from console.audit_entries e`)).rows
  const number = fc.integer({ min: 1, max: 7 })
  await fc.assert(
    fc.asyncProperty(number, number, fc.boolean(), async (one, other, isDeletion) => {
      fc.pre(isDeletion || one !== other)
      await tamper(
        desk,
        isDeletion
          ? `delete from console.audit_entries where number = ${one}`
          : `update console.audit_entries e set act = o.act, target_id = o.target_id, outcome = o.outcome, hash = o.hash,
             environment = o.environment, at = o.at from console.audit_entries o
             where (e.number, o.number) in ((${one}, ${other}), (${other}, ${one}))`,
      )
      expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: false })
      await tamper(desk, 'delete from console.audit_entries')
      await desk.db.execute(
        sql`insert into console.audit_entries select * from jsonb_populate_recordset(null::console.audit_entries, ${JSON.stringify(whole?.rows)}::jsonb)`,
      )
    }),
    { numRuns: 30 },
  )
})

test('lists newest first by keyset, there and back, with filters, entries of no environment among them', async () => {
  const desk = await trailOf(25)
  await desk.signIn('approver')
  const numbers: number[] = []
  let token: string | null | undefined
  let pages = 0
  let page = await listAudit('sandbox', { pageSize: 10 })
  for (;;) {
    pages += 1
    numbers.push(...page.entries.map(({ number }) => number))
    await recordAudit(desk.db, event(3))
    token = page.nextPageToken
    if (!token) break
    page = await listAudit('sandbox', { pageSize: 10, pageToken: token })
  }
  expect(pages).toBe(3)
  expect(numbers).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index))
  const back = await listAudit('sandbox', { pageSize: 10, pageToken: page.prevPageToken ?? '' })
  expect(back.entries.map(({ number }) => number)).toEqual(Array.from({ length: 10 }, (_, index) => 15 - index))

  const refused = await listAudit('sandbox', { outcome: 'refused', act: 'card.lock' })
  expect(refused.entries.map(({ number }) => number)).toEqual([20, 10])
  expect((await listAudit('sandbox', { targetId: 'card-7' })).entries).toHaveLength(1)
  expect((await listAudit('sandbox', { by: '5d1c7a52-0000-4000-8000-000000000001' })).entries).toEqual([])
  expect(
    (await listAudit('production', { pageSize: 100 })).entries.every(({ environment }) => environment === null),
  ).toBe(true)
})

test('a token of another list, a wrong filter and a card number are refused by name', async () => {
  const desk = await trailOf(3)
  await desk.signIn('approver')
  const { nextPageToken } = await listAudit('sandbox', { pageSize: 1 })
  for (const search of [
    { pageToken: nextPageToken ?? '', act: 'card.lock' },
    { pageToken: 'x' },
    { pageToken: 'e30.e30' },
    { by: 'me' },
    { outcome: 'fine' as never },
    { dateRangeFrom: 'yesterday' },
    { dateRangeFrom: '0000-12-31T23:59:59Z' },
    { pageSize: 0 },
  ]) {
    await expect(listAudit('sandbox', search)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS', status: 400 })
  }
  await expect(listAudit('sandbox', { targetId: '4242 4242 4242 4242' })).rejects.toMatchObject({
    code: 'CARD_NUMBER_REFUSED',
  })
  expect(await desk.db.select().from(auditEntries)).toHaveLength(3)
})

test('the trail of a record whose id looks like a card number is its own', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  await runAction('card.lock', { ...target, operationId, reason: 'lost-or-stolen' })
  const [id, other] = ['4000000000000000774', '5000000000000000112']
  await desk.db.update(operations).set({ targetId: id }).where(eq(operations.id, operationId))
  await recordAudit(desk.db, { ...event(1), target: { type: 'card', id, parentId: null, label: null }, operationId })
  await desk.signIn('approver')
  const countOf = async (targetId: string) => (await listAudit('sandbox', { targetId })).entries.length
  expect([await countOf(id), await countOf(other)]).toEqual([2, 0])
})

test('the same person again: they had changed the same object before, or it is their own access', async () => {
  const desk = await openConsole({ seeded: 1 })
  const olivia = { id: '5d1c7a52-0000-4000-8000-000000000003', name: 'Olivia Poon', role: 'operations' } as const
  const amir = { id: '5d1c7a52-0000-4000-8000-000000000004', name: 'Amir Shah', role: 'approver' } as const
  const on = (id: string) => ({ type: 'card', id, parentId: null, label: null })
  const tried: [typeof olivia | typeof amir, string, AuditEvent['outcome']][] = [
    [olivia, 'one', 'done'],
    [amir, 'one', 'done'],
    [olivia, 'one', 'done'], // 3: after 1
    [amir, 'two', 'refused'],
    [amir, 'two', 'done'], // the first was refused
    [amir, 'two', 'refused'], // 6: after 5
    [olivia, olivia.id, 'done'], // 7: her own access
  ]
  for (const [by, id, outcome] of tried) {
    await recordAudit(desk.db, { by, environment: 'sandbox', act: 'card.lock', target: on(id), outcome })
  }
  for (let times = 0; times < 2; times += 1) {
    const target = { type: 'list', id: 'payouts', parentId: null, label: null }
    await recordAudit(desk.db, { by: olivia, environment: 'sandbox', act: 'export.read', target, outcome: 'done' })
  }
  await desk.signIn('approver')
  const { entries } = await listAudit('sandbox', { own: 'true' })
  expect(entries.map(({ number }) => number)).toEqual([7, 6, 3])
  expect((await listAudit('sandbox', { own: 'true', outcome: 'refused' })).entries).toHaveLength(1)
})
