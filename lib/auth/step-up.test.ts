import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { revealCard } from '#lib/console/cards/reveal.ts'
import { operationTable } from '#lib/console/operation-table.ts'
import { endOwnSession, readOwnAccount } from '#lib/console/own-account/own-sessions.ts'
import {
  beginEnrolment,
  confirmStepUp,
  finishEnrolment,
  listOwnPasskeys,
  removePasskey,
  renamePasskey,
} from '#lib/console/own-account/passkeys.ts'
import { createAuthenticator } from '#lib/console/testing/authenticator.ts'
import { cardIn, readCardStatus } from '#lib/console/testing/cards.ts'
import { openConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import type { OperationSpec } from '#lib/operations/spec.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { sessions } from '#lib/tables/staff.ts'
import { passkeys, stepUps } from '#lib/tables/step-up.ts'
import type { Role } from './permissions.ts'
import { currentSession, openSession } from './session.ts'
import { requireStepUp, StepUpRequired, type ConfirmedAction } from './step-up.ts'
import type { StepUpRequest } from './types.ts'

const origin = 'http://localhost:3000'

function openDesk(stepUp: 'required' | 'optional' = 'required'): Promise<TestConsole> {
  return openConsole({ seeded: 1, settings: { stepUp, consoleUrl: origin } })
}

/** Adds a passkey to the signed-in person. */
async function enrol(name = 'Laptop', authenticator = createAuthenticator(origin)) {
  const started = await beginEnrolment({})
  if (started.kind !== 'ready') throw new Error(`not ready: ${JSON.stringify(started)}`)
  const { id, options } = started.enrolment
  expect(await finishEnrolment({ id, name, response: authenticator.create(options) })).toEqual({ kind: 'done' })
  return authenticator
}

async function signedInWithKey(role: Role = 'operations') {
  const desk = await openDesk()
  const staff = await desk.signIn(role)
  return { desk, staff, key: await enrol() }
}

const cancelling = (over: Partial<ConfirmedAction> = {}): ConfirmedAction => ({
  kind: 'card.cancel',
  environment: 'sandbox',
  operationId: '11111111-1111-4111-8111-111111111111',
  input: { cardId: 'a', reason: 'other', nested: { b: 1, a: 2 } },
  target: null,
  ...over,
})

/** What the console wants the passkey to sign. */
async function requestOf(action: ConfirmedAction): Promise<StepUpRequest> {
  const error = await requireStepUp(action).then(
    () => new Error('it was not wanted'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof StepUpRequired)) throw error
  return error.stepUp
}

const refused = { kind: 'refused', outcome: { code: 'STEP_UP_REFUSED' } }

test('an action passes once its very content was confirmed, once, and with an audit entry', async () => {
  const { desk, key } = await signedInWithKey()
  const { id, options } = await requestOf(cancelling())
  expect(options).toMatchObject({ userVerification: 'required', rpId: 'localhost', timeout: 60_000 })
  expect(await confirmStepUp({ id, response: key.get(options) })).toEqual({ kind: 'done' })
  // The order of the fields is no difference.
  await requireStepUp(cancelling({ input: { nested: { a: 2, b: 1 }, reason: 'other', cardId: 'a' } }))
  await expect(requireStepUp(cancelling())).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
  const trail = await desk.db.select().from(auditEntries).where(eq(auditEntries.act, 'step-up'))
  expect(trail).toMatchObject([
    {
      outcome: 'done',
      staffName: 'Olivia Poon',
      comment: 'card.cancel with the passkey Laptop',
      operationId: '11111111-1111-4111-8111-111111111111',
    },
  ])
})

test.each<[string, Partial<ConfirmedAction>]>([
  ['kind', { kind: 'card.suspend' }],
  ['environment', { environment: 'production' }],
  ['operation', { operationId: randomUUID() }],
  ['input', { input: { cardId: 'b', reason: 'other', nested: { b: 1, a: 2 } } }],
])('a confirmation does not count for another %s', async (_, other) => {
  const { key } = await signedInWithKey()
  const { id, options } = await requestOf(cancelling())
  await confirmStepUp({ id, response: key.get(options) })
  await expect(requireStepUp(cancelling(other))).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
})

test('a confirmation does not count in another session of the same person', async () => {
  const { desk, key } = await signedInWithKey()
  const { id, options } = await requestOf(cancelling())
  await confirmStepUp({ id, response: key.get(options) })
  await desk.signIn('operations')
  await expect(requireStepUp(cancelling())).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
})

test('a request of one session cannot be signed in another of the same person', async () => {
  const { desk, key } = await signedInWithKey()
  const { id, options } = await requestOf(cancelling())
  await desk.signIn('operations')
  expect(await confirmStepUp({ id, response: key.get(options) })).toMatchObject(refused)
})

test('a signature is refused after a minute, for a second time, and a confirmation counts for a minute', async () => {
  const { desk, key } = await signedInWithKey()
  const late = await requestOf(cancelling())
  await desk.db.update(stepUps).set({ expiresAt: new Date(Date.now() - 1) })
  expect(await confirmStepUp({ id: late.id, response: key.get(late.options) })).toMatchObject(refused)
  const { id, options } = await requestOf(cancelling())
  const response = key.get(options)
  expect(await confirmStepUp({ id, response })).toEqual({ kind: 'done' })
  expect(await confirmStepUp({ id, response })).toMatchObject(refused)
  await desk.db.update(stepUps).set({ expiresAt: new Date(Date.now() - 1) })
  await expect(requireStepUp(cancelling())).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
})

test.each<[string, Parameters<ReturnType<typeof createAuthenticator>['get']>[1]]>([
  ['did not verify its user', { isUserVerified: false }],
  ['signed for another origin', { origin: 'https://evil.example' }],
  ['signed for another host', { rpId: 'evil.example' }],
  ['signed another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
])('a passkey that %s confirms nothing, and uses up the request', async (_, ways) => {
  const { desk, key } = await signedInWithKey()
  const { id, options } = await requestOf(cancelling())
  expect(await confirmStepUp({ id, response: key.get(options, ways) })).toMatchObject(refused)
  expect(await confirmStepUp({ id, response: key.get(options) })).toMatchObject(refused)
  await expect(requireStepUp(cancelling())).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
  const trail = await desk.db.select().from(auditEntries).where(eq(auditEntries.code, 'STEP_UP_REFUSED'))
  expect(trail).toMatchObject([{ act: 'card.cancel', outcome: 'refused' }, { act: 'step-up' }])
})

test('another person’s passkey, and another person’s request, are refused', async () => {
  const { desk, key } = await signedInWithKey()
  const stolen = await requestOf(cancelling())
  await desk.signIn('support')
  const own = await enrol('Phone')
  expect(await confirmStepUp({ id: stolen.id, response: key.get(stolen.options) })).toMatchObject(refused)
  const mine = await requestOf(cancelling())
  expect(await confirmStepUp({ id: mine.id, response: key.get(mine.options) })).toMatchObject(refused)
  const again = await requestOf(cancelling())
  const pretending = own.get(again.options, { id: key.id })
  expect(await confirmStepUp({ id: again.id, response: pretending })).toMatchObject(refused)
})

test('a passkey that was copied is noticed by its counter', async () => {
  const { desk, key } = await signedInWithKey()
  await desk.db.update(passkeys).set({ counter: 100 })
  const { id, options } = await requestOf(cancelling())
  expect(await confirmStepUp({ id, response: key.get(options) })).toMatchObject(refused)
})

test('cancelling and revealing a card wait for the passkey; nothing reaches the service before', async () => {
  const { desk, key } = await signedInWithKey()
  const { target, last4 } = await cardIn(desk, 'active')
  const reason = 'cardholder-request' as const
  const input = { ...target, operationId: randomUUID(), confirmLast4: last4, reason }
  const first = await runAction('card.cancel', input)
  expect(await readCardStatus(desk, target.cardId)).toBe('active')
  if (first.kind !== 'refused' || !first.outcome.stepUp) throw new Error('no confirmation was wanted')
  const { stepUp } = first.outcome
  await confirmStepUp({ id: stepUp.id, response: key.get(stepUp.options) })
  expect(await runAction('card.cancel', input)).toMatchObject({
    kind: 'settled',
    operation: { outcome: { state: 'done' } },
  })
  // A retry of the same operation finds it in the journal.
  expect(await runAction('card.cancel', input)).toMatchObject({ kind: 'settled' })
  expect(await revealCard({ ...target, reason })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'STEP_UP_REQUIRED' },
  })
})

test('the id of an operation that needed no passkey opens no way around it', async () => {
  const { desk } = await signedInWithKey()
  const { target, last4 } = await cardIn(desk, 'active')
  const input = { ...target, operationId: randomUUID(), reason: 'cardholder-request' as const }
  expect(await runAction('card.lock', input)).toMatchObject({ kind: 'settled' })
  const around = await runAction('card.cancel', { ...input, confirmLast4: last4 })
  expect(around).toMatchObject({ kind: 'refused', outcome: { code: 'OPERATION_MISMATCH' } })
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
})

test('cancelling a card, replacing a lost one and removing a webhook always wait for it, payouts by their amount', async () => {
  await openDesk()
  const rows: [string, OperationSpec][] = Object.entries(operationTable)
  consoleSettings().stepUpPayouts = { HKD: '2' }
  const waiting = (input: object) => rows.filter(([, spec]) => spec.stepUp?.(input as never)).map(([kind]) => kind)
  expect(waiting({ sourceAmount: '1', sourceCurrency: 'HKD', isLost: false })).toEqual([
    'card.cancel',
    'webhook.remove',
  ])
  expect(waiting({ sourceAmount: '2', sourceCurrency: 'HKD', isLost: true }).toSorted()).toEqual([
    'card.cancel',
    'card.replace',
    'payout.submit',
    'webhook.remove',
  ])
})

test('people without a passkey are refused and audited where it is required, and let pass where it is optional', async () => {
  const desk = await openDesk()
  await desk.signIn('operations')
  await expect(requireStepUp(cancelling())).rejects.toMatchObject({ code: 'PASSKEY_REQUIRED' })
  expect(await desk.db.select().from(auditEntries)).toMatchObject([{ act: 'card.cancel', code: 'PASSKEY_REQUIRED' }])
  consoleSettings().stepUp = 'optional'
  await requireStepUp(cancelling())
  await enrol()
  await expect(requireStepUp(cancelling())).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
})

test('ending another own session takes a passkey, signing out none', async () => {
  const desk = await openDesk()
  const staff = await desk.signIn('operations')
  const other = await openSession(desk.db, staff?.id ?? '')
  const open = async () => (await readOwnAccount('sandbox')).sessions.map(({ id }) => id)
  const own = (await open()).find((id) => id !== other) ?? ''
  expect(await endOwnSession({ sessionId: other })).toMatchObject({ outcome: { code: 'PASSKEY_REQUIRED' } })
  const key = await enrol()
  const confirm = async (sessionId: string) => {
    const ending = await endOwnSession({ sessionId })
    if (ending.kind !== 'refused' || !ending.outcome.stepUp) throw new Error('no confirmation was wanted')
    const { id, options } = ending.outcome.stepUp
    expect(await confirmStepUp({ id, response: key.get(options) })).toEqual({ kind: 'done' })
  }
  await confirm(other)
  expect(await endOwnSession({ sessionId: 'others' })).toMatchObject({ outcome: { code: 'STEP_UP_REQUIRED' } })
  expect(await open()).toContain(other)
  expect(await endOwnSession({ sessionId: other })).toEqual({ kind: 'done' })
  expect(await open()).toEqual([own])
  await openSession(desk.db, staff?.id ?? '')
  await confirm('others')
  expect(await endOwnSession({ sessionId: 'others' })).toEqual({ kind: 'done' })
  expect(await open()).toEqual([own])
  expect(await endOwnSession({ sessionId: own })).toEqual({ kind: 'done' })
  expect(await currentSession()).toBeNull()
})

test('the first passkey needs a fresh sign-in, each further one and each removal a passkey', async () => {
  const desk = await openDesk()
  await desk.signIn('operations')
  await desk.db.update(sessions).set({ createdAt: new Date(Date.now() - 16 * 60_000) })
  expect(await beginEnrolment({})).toMatchObject({ kind: 'refused', outcome: { code: 'SIGN_IN_AGAIN' } })
  expect(await readOwnAccount('sandbox'), 'said before a name is typed').toMatchObject({ needsSignIn: true })
  await desk.signIn('operations')
  // Single sign-on opened the session, long after the person authenticated.
  await desk.db.update(sessions).set({ authenticatedAt: new Date(Date.now() - 16 * 60_000) })
  expect(await beginEnrolment({})).toMatchObject({ kind: 'refused', outcome: { code: 'SIGN_IN_AGAIN' } })
  await desk.signIn('operations')
  expect(await readOwnAccount('sandbox')).toMatchObject({ needsSignIn: false })
  const key = await enrol('Laptop')
  const second = await beginEnrolment({})
  if (second.kind !== 'refused' || !second.outcome.stepUp) throw new Error('no confirmation was wanted')
  await confirmStepUp({ id: second.outcome.stepUp.id, response: key.get(second.outcome.stepUp.options) })
  await enrol('Phone')
  expect(await renamePasskey({ id: key.id, name: ' Old laptop ' })).toEqual({ kind: 'done' })
  expect(await renamePasskey({ id: key.id, name: ' ' })).toMatchObject({ kind: 'invalid' })
  expect((await listOwnPasskeys()).map(({ name }) => name)).toEqual(['Old laptop', 'Phone'])
  const removal = await removePasskey({ id: key.id })
  if (removal.kind !== 'refused' || !removal.outcome.stepUp) throw new Error('no confirmation was wanted')
  await confirmStepUp({ id: removal.outcome.stepUp.id, response: key.get(removal.outcome.stepUp.options) })
  expect(await removePasskey({ id: key.id })).toEqual({ kind: 'done' })
  expect((await listOwnPasskeys()).map(({ name }) => name)).toEqual(['Phone'])
  const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.filter(({ act }) => act.startsWith('passkey.')).map(({ act, comment }) => [act, comment])).toEqual([
    ['passkey.add', 'Laptop'],
    ['passkey.add', 'Phone'],
    ['passkey.rename', 'Laptop to Old laptop'],
    ['passkey.remove', 'Old laptop'],
  ])
})

test('of enrolments that were begun without a passkey one alone adds one, at once and one after the other', async () => {
  const desk = await openDesk()
  await desk.signIn('operations')
  const begun = await Promise.all([...Array(4).keys()].map(() => beginEnrolment({})))
  const finish = (started: (typeof begun)[number]) => {
    if (started.kind !== 'ready') throw new Error('not ready')
    const { id, options } = started.enrolment
    return finishEnrolment({ id, name: 'Laptop', response: createAuthenticator(origin).create(options) })
  }
  const finished = await Promise.all(begun.slice(1).map(finish))
  for (const last of begun.slice(0, 1)) finished.push(await finish(last))
  expect(finished.map(({ kind }) => kind).toSorted()).toEqual(['done', 'refused', 'refused', 'refused'])
  expect(await listOwnPasskeys()).toHaveLength(1)
})

test('a device that has RSA keys alone enrols and confirms', async () => {
  const desk = await openDesk()
  await desk.signIn('operations')
  const rsaKeys = {
    publicKey: createPublicKey(testKeyPair.publicKey),
    privateKey: createPrivateKey(testKeyPair.privateKey),
  }
  const started = await beginEnrolment({})
  if (started.kind !== 'ready') throw new Error('not ready')
  expect(started.enrolment.options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257])
  const key = await enrol('Laptop', createAuthenticator(origin, rsaKeys))
  const stepUp = await requestOf(cancelling())
  expect(await confirmStepUp({ id: stepUp.id, response: key.get(stepUp.options) })).toEqual({ kind: 'done' })
})

test('enrolment fails with another challenge, twice, and without user verification; others’ passkeys are not found', async () => {
  const { desk, key } = await signedInWithKey()
  await desk.signIn('support')
  const authenticator = createAuthenticator(origin)
  for (const ways of [{ isUserVerified: false }, { origin: 'https://evil.example' }, { challenge: 'AAAA' }]) {
    const started = await beginEnrolment({})
    if (started.kind !== 'ready') throw new Error('not ready')
    const { id, options } = started.enrolment
    const name = 'Phone'
    expect(await finishEnrolment({ id, name, response: authenticator.create(options, ways) })).toMatchObject(refused)
    expect(await finishEnrolment({ id, name, response: authenticator.create(options) })).toMatchObject(refused)
  }
  expect(await removePasskey({ id: key.id })).toMatchObject({ outcome: { code: 'PASSKEY_NOT_FOUND' } })
  expect(await renamePasskey({ id: key.id, name: 'x' })).toMatchObject({ outcome: { code: 'PASSKEY_NOT_FOUND' } })
  expect(await listOwnPasskeys()).toEqual([])
})
