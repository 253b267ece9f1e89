import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { currentStaff, openSession, revokeSession } from '#lib/auth/session.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { findDifferingKeys } from '#lib/launch/same-keys.ts'
import { openBody, findOperation } from '#lib/operations/journal.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { operations } from '#lib/tables/operations.ts'
import { resealStored } from './reseal.ts'

const desk = shareConsole({ seeded: 3 })
const oldKey = Buffer.alloc(32, 3)
const newKey = Buffer.alloc(32, 4)

beforeEach(() => {
  delete (globalThis as { carddeskResealed?: true }).carddeskResealed
})

/** The settings of a process that is started with other keys. */
function withKeys(sealingKey: Buffer, previousSealingKey: Buffer | null): void {
  Object.assign(consoleSettings(), { sealingKey, previousSealingKey })
}

async function lockedBy(operationId: string) {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const input = { ...target, operationId, reason: 'lost-or-stolen' } as const
  return { input, result: await runAction('card.lock', input) }
}

test('while a key is replaced, both open what is stored; afterwards the new one alone does', async () => {
  const id = randomUUID()
  const { input } = await lockedBy(id)
  const body = async () => {
    const row = await findOperation(desk.db, id)
    return row && openBody(row)?.toString()
  }
  const plain = await body()
  withKeys(newKey, oldKey)
  expect(await body()).toBe(plain)
  // The same operation is recognised under the other key.
  expect(await runAction('card.lock', input)).toMatchObject({ kind: 'settled', operation: { id } })
  await resealStored()
  withKeys(newKey, null)
  expect(await body()).toBe(plain)
  withKeys(oldKey, null)
  await expect(body()).rejects.toThrow()
})

test('a person whose ID token the old key sealed can sign out once that key is removed', async () => {
  withKeys(oldKey, null)
  const { id: staffId } = (await desk.signIn('operations')) ?? { id: '' }
  const oidc = { oidcSessionId: null, idToken: 'an ID token', authenticatedAt: null }
  const session = await openSession(desk.db, staffId, undefined, oidc)
  withKeys(newKey, oldKey)
  await resealStored()
  withKeys(newKey, null)
  expect(await revokeSession(desk.db, session)).toEqual({ staffId, idToken: 'an ID token' })
})

test('what neither key opens stays as it is, and the rest is resealed', async () => {
  const [lost, good] = [randomUUID(), randomUUID()]
  await lockedBy(lost)
  await lockedBy(good)
  await desk.db
    .update(operations)
    .set({ sealedBody: Buffer.alloc(60) })
    .where(eq(operations.id, lost))
  withKeys(newKey, oldKey)
  await resealStored()
  withKeys(newKey, null)
  const row = await findOperation(desk.db, good)
  expect(row && openBody(row)).toBeTruthy()
  expect((await findOperation(desk.db, lost))?.sealedBody).toEqual(Buffer.alloc(60))
})

test('cookies of the previous session secret count until it is removed', async () => {
  await desk.signIn('support')
  const settings = consoleSettings()
  const before = settings.sessionSecret
  onTestFinished(() => void Object.assign(settings, { sessionSecret: before, previousSessionSecret: null }))
  Object.assign(settings, { sessionSecret: 'another secret that is long enough too', previousSessionSecret: before })
  expect((await currentStaff())?.staff.role).toBe('support')
  settings.previousSessionSecret = null
  settings.sessionSecret = 'a third secret that is long enough as well'
  expect(await currentStaff()).toBeNull()
})

test('a database takes a new key only together with the one that it knows', async () => {
  const name = `KEY_${randomUUID()}`
  expect(await findDifferingKeys(desk.db, { [name]: 'old' })).toEqual([])
  expect(await findDifferingKeys(desk.db, { [name]: 'new' }, { [name]: 'wrong' })).toEqual([name])
  expect(await findDifferingKeys(desk.db, { [name]: 'new' }, { [name]: 'old' })).toEqual([])
  expect(await findDifferingKeys(desk.db, { [name]: 'new' })).toEqual([])
  expect(await findDifferingKeys(desk.db, { [name]: 'old' })).toEqual([name])
})
