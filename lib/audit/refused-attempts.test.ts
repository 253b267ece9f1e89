import { expect, test } from 'vitest'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { auditEntries, auditRepeats } from '#lib/tables/audit.ts'
import { recordAudit, verifyAuditChain } from './chain.ts'
import { recordRefusedAttempt, writeRepeatedAttempts } from './refused-attempts.ts'

const card = (id: string) => ({ type: 'card', id, parentId: null, label: null })
const viewer = { id: '5d1c7a52-0000-4000-8000-000000000001', name: 'Vera Lam', role: 'viewer' } as const
const support = { id: '5d1c7a52-0000-4000-8000-000000000002', name: 'Samuel Ng', role: 'support' } as const
const refusedLock = { by: viewer, environment: 'sandbox', act: 'card.lock', code: 'NOT_PERMITTED' } as const

test('500 identical refused attempts at once become two entries, the second with their number', async () => {
  const { db } = await openConsole({ seeded: 1 })
  const now = new Date('2026-03-01T10:00:00Z')
  await Promise.all(
    Array.from({ length: 500 }, () => recordRefusedAttempt(db, { ...refusedLock, target: card('one') }, now)),
  )
  await writeRepeatedAttempts(db, new Date('2026-03-01T10:00:59Z'))
  expect(await db.select().from(auditEntries)).toHaveLength(1)
  await writeRepeatedAttempts(db, new Date('2026-03-01T10:01:00Z'))
  const trail = await db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.map(({ comment, targetId, outcome }) => [comment, targetId, outcome])).toEqual([
    [null, 'one', 'refused'],
    ['499 more times within a minute', 'one', 'refused'],
  ])
  expect(await verifyAuditChain(db)).toMatchObject({ holds: true, entries: 2 })
  expect(await db.select().from(auditRepeats)).toEqual([])
})

test('identical attempts of nobody known from many addresses of one IPv6 line are counted', async () => {
  const { db } = await openConsole({ seeded: 1 })
  const attempt = (ipAddress: string) =>
    recordRefusedAttempt(db, { ...refusedLock, by: null, target: null, caller: { ipAddress, requestId: null } })
  for (let host = 1; host <= 20; host += 1) await attempt(`2001:db8:1:2::${host}`)
  for (const other of ['2001:db8:1:3::1', '203.0.113.7', '203.0.113.8']) await attempt(other)
  const trail = await db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.map(({ details }) => JSON.parse(details ?? '{}'))).toEqual(
    ['2001:db8:1:2::1', '2001:db8:1:3::1', '203.0.113.7', '203.0.113.8'].map((ipAddress) => ({ ipAddress })),
  )
})

test('another person, object, code or minute is an entry of its own', async () => {
  const { db } = await openConsole({ seeded: 1 })
  const now = new Date('2026-03-01T10:00:00Z')
  const later = new Date('2026-03-01T10:01:01Z')
  await recordRefusedAttempt(db, { ...refusedLock, target: card('one') }, now)
  await recordRefusedAttempt(db, { ...refusedLock, target: card('two') }, now)
  await recordRefusedAttempt(db, { ...refusedLock, by: support, target: card('one') }, now)
  await recordRefusedAttempt(db, { ...refusedLock, code: 'NOT_CONNECTED', target: card('one') }, now)
  await recordRefusedAttempt(db, { ...refusedLock, target: card('one') }, now)
  await recordRefusedAttempt(db, { ...refusedLock, target: card('one') }, later)
  const trail = await db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.map(({ comment }) => comment)).toEqual([null, null, null, null, '1 more time within a minute', null])
})

test('a person who goes through 200 objects without the permission leaves 31 entries and one with the number of the rest', async () => {
  const { db } = await openConsole({ seeded: 1 })
  const now = new Date('2026-03-01T10:00:00Z')
  for (let number = 1; number <= 200; number += 1) {
    await recordRefusedAttempt(db, { ...refusedLock, target: card(`card-${number}`) }, now)
  }
  await recordRefusedAttempt(db, { ...refusedLock, by: support, target: card('one') }, now)
  await recordRefusedAttempt(db, { ...refusedLock, code: 'NOT_CONNECTED', target: card('one') }, now)
  await writeRepeatedAttempts(db, new Date('2026-03-01T10:01:01Z'))
  const trail = await db.select().from(auditEntries).orderBy(auditEntries.number)
  const own = trail.filter(({ staffId, code }) => staffId === viewer.id && code === 'NOT_PERMITTED')
  expect(own.filter(({ targetId }) => targetId !== null)).toHaveLength(30)
  expect(own.filter(({ targetId }) => targetId === null).map(({ comment }) => comment)).toEqual([
    null,
    '169 more times within a minute',
  ])
  expect(trail).toHaveLength(34)
})

test('a counted attempt has the name and role of a person, and no e-mail address', async () => {
  const { db } = await openConsole({ seeded: 1 })
  const by = { ...viewer, email: 'vera.lam@example.com' }
  await recordRefusedAttempt(db, { ...refusedLock, by, target: card('one') })
  const [counted] = await db.select().from(auditRepeats)
  expect(counted?.event.by).toEqual(viewer)
})

test('texts that PostgreSQL cannot store are hashed as they are stored, and the chain holds', async () => {
  const { db } = await openConsole({ seeded: 1 })
  const target = { type: 'identity', id: 'olive\0', parentId: null, label: 'Acme \ud83d' }
  const now = new Date('2026-03-01T10:00:00Z')
  await recordRefusedAttempt(db, { ...refusedLock, target }, now)
  await recordRefusedAttempt(db, { ...refusedLock, target }, now)
  await writeRepeatedAttempts(db, new Date('2026-03-01T10:01:00Z'))
  const details = { linkExpiresAt: '\ud83d\0' } as object
  await recordAudit(db, { ...refusedLock, target, code: '\0', comment: '\udca9', outcome: 'refused', details })
  const trail = await db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.map(({ targetId, targetLabel }) => [targetId, targetLabel])).toEqual(
    trail.map(() => ['olive\ufffd', 'Acme \ufffd']),
  )
  expect(await verifyAuditChain(db)).toMatchObject({ holds: true, entries: 3 })
})

test('an entry holds no card number in place of an id, whoever writes it, and no counted attempt does', async () => {
  const { db } = await openConsole({ seeded: 1 })
  const target = { type: 'card', id: '4111 1111 1111 1111', parentId: '4111111111111111', label: null }
  await recordRefusedAttempt(db, { ...refusedLock, target })
  await recordAudit(db, { ...refusedLock, target, outcome: 'done' })
  const stored = [...(await db.select().from(auditEntries)), ...(await db.select().from(auditRepeats))]
  expect(stored).toHaveLength(3)
  expect(JSON.stringify(stored)).not.toMatch(/4111/)
})
