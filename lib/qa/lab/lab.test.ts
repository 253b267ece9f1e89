import { randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { LabActionName } from '#lib/api/lab.ts'
import { roles } from '#lib/auth/permissions.ts'
import { reads } from '#lib/console/reads.ts'
import { creditAccounts, holdRequest, jobIn, limitJob } from '#lib/console/testing/bulk.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { callControlPlane } from '#lib/environments/control-plane.ts'
import { notificationsWritten } from '#lib/live/publish.ts'
import { bulkJobsDone } from '#lib/operations/bulk/run.ts'
import { startBulkJob } from '#lib/operations/bulk/start.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { addCard } from '#lib/service/testing-records.ts'
import { dayMs, minuteMs } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { changes } from '#lib/tables/changes.ts'
import { type LabAction, labControls } from './action-table.ts'
import { performLabAction } from './actions.ts'
import { requireControl } from './control.ts'

const { readFaultEndpoints, readLabDetails, readLabState } = reads

const desk = shareConsole({ seeded: 4, serviceSettings: { acceptsBasic: false } })

beforeEach(async () => {
  process.env.BUILT_IN_SERVICE = 'on'
  onTestFinished(() => void delete process.env.BUILT_IN_SERVICE)
  await desk.signIn('qa')
})

const perform = (action: LabActionName, given: Record<string, unknown> = {}) =>
  performLabAction({ environment: 'sandbox', action, given: given as never })

async function lastAudit() {
  const [entry] = await desk.db.select().from(auditEntries).orderBy(desc(auditEntries.number)).limit(1)
  const { act, outcome, code, targetId, staffRole, comment } = entry ?? {}
  return { act, outcome, code, targetId, staffRole, comment }
}

async function lastChanges(): Promise<unknown[]> {
  await notificationsWritten()
  const [row] = await desk.db.select().from(changes).orderBy(desc(changes.id)).limit(1)
  return row?.about ?? []
}

describe('who may use the lab', () => {
  test('only qa and operations in the sandbox; a refused attempt is audited', async () => {
    for (const role of roles) {
      await desk.signIn(role)
      const result = await perform('reset-modes')
      const mayUse = role === 'qa' || role === 'operations'
      expect([role, result.kind]).toEqual([role, mayUse ? 'done' : 'refused'])
      const code = mayUse ? null : 'NOT_PERMITTED'
      expect(await lastAudit()).toMatchObject({ act: 'lab.reset-modes', staffRole: role, code })
      const read = await readLabDetails('sandbox').catch((error: { code: string }) => error)
      expect(read).toMatchObject(mayUse ? { contents: { seededCardAccounts: 4 } } : { code })
    }
    await desk.signIn(null)
    expect(await perform('reset-modes')).toMatchObject({ outcome: { code: 'NOT_SIGNED_IN' } })
    await expect(readLabState('sandbox')).rejects.toMatchObject({ status: 401 })
  })

  test.each(['production', 'sandbox of a real service'])(
    'in %s there is no control plane, whatever the role',
    async (where) => {
      const environment = where === 'production' ? 'production' : 'sandbox'
      if (where !== 'production') process.env.BUILT_IN_SERVICE = 'off'
      for (const role of roles) {
        await desk.signIn(role)
        for (const read of [readLabState, readLabDetails, readFaultEndpoints]) {
          await expect(read(environment)).rejects.toMatchObject({ code: 'LAB_NOT_FOUND', status: 404 })
        }
        for (const [action, row] of Object.entries<LabAction>(labControls) as [LabActionName, LabAction][]) {
          if (where !== 'production' && row.simulator) continue
          const result = await performLabAction({ environment, action, given: {} })
          const mayNot = where !== 'production' && role !== 'qa' && role !== 'operations'
          const code = mayNot ? 'NOT_PERMITTED' : 'LAB_NOT_FOUND'
          expect(result).toMatchObject({ kind: 'refused', outcome: { code } })
        }
      }
      expect([...desk.requests.keys()]).toEqual([])
    },
  )
})

describe('beside the sandbox of another service', () => {
  beforeEach(() => void (process.env.BUILT_IN_SERVICE = 'off'))

  test('the interface’s simulators authorize, reverse and repay, by the same roles, and are audited', async () => {
    const card = await addCard(desk.service.service.db)
    const charge = { ...card, amount: 20, currency: 'HKD', opts: { countryCode: 344 } }
    await desk.signIn('support')
    expect(await perform('charge', charge)).toMatchObject({ outcome: { code: 'NOT_PERMITTED' } })
    await desk.signIn('qa')
    desk.requests.clear()
    const charged = await perform('charge', charge)
    const id = charged.kind === 'done' ? charged.result.transaction?.id : undefined
    expect(charged).toMatchObject({ result: { transaction: { id: expect.any(String), ...omitCard(card) } } })
    expect(desk.requests.get('/cards/simulate-authorization')).toBe(1)
    expect(await lastAudit()).toMatchObject({ act: 'lab.charge', outcome: 'done', targetId: card.cardId })

    const reversed = await perform('reverse', { cardAccountId: card.cardAccountId, transactionId: id })
    expect(reversed).toMatchObject({ kind: 'done', result: { transaction: { id } } })
    expect(desk.requests.get('/cards/simulate-full-reversal')).toBe(1)
    const again = await perform('reverse', { cardAccountId: card.cardAccountId, transactionId: id })
    expect(again).toMatchObject({ kind: 'invalid', fields: { transactionId: expect.any(String) } })
    expect(await lastAudit()).toMatchObject({ act: 'lab.reverse', outcome: 'refused', code: 'INVALID_PARAMETERS' })
  })

  test('a field that the interface does not have is named, and nothing is sent', async () => {
    const card = await addCard(desk.service.service.db)
    desk.requests.clear()
    const charge = { ...card, amount: 20, currency: 'HKD', declineReason: 'lost-card' }
    expect(await perform('charge', charge)).toMatchObject({
      kind: 'invalid',
      fields: { declineReason: 'can’t be sent: the interface’s simulator has no such field' },
    })
    expect([...desk.requests.keys()]).toEqual([])
  })
})

function omitCard({ cardAccountId }: { cardAccountId: string }) {
  return { cardAccountId }
}

test('a repayment of many returns a result for each account, and is one audit entry', async () => {
  const [one, other] = [await addCard(desk.service.service.db), await addCard(desk.service.service.db)]
  await perform('fee', { cardAccountId: one.cardAccountId, intent: 'x', amount: 12.5 })
  const cardAccountIds = [one.cardAccountId, other.cardAccountId]
  const error = 'Nothing is outstanding on this card account.'
  expect(await perform('repay', { cardAccountIds })).toMatchObject({
    kind: 'done',
    result: {
      accounts: [
        { cardAccountId: one.cardAccountId, amount: 12.5, currency: 'HKD', error: null },
        { cardAccountId: other.cardAccountId, error },
      ],
    },
  })
  const comment = `2 card accounts: ${cardAccountIds.join(', ')}`
  expect(await lastAudit()).toMatchObject({ act: 'lab.repay', outcome: 'done', targetId: null, comment })
  const changed = cardAccountIds.map((id) => ({ type: 'cardaccount', id }))
  expect(await lastChanges()).toEqual(expect.arrayContaining(changed))
})

test('an identity is decided, is audited with its account, and lists show it before any event', async () => {
  const { cardAccountId } = await addCard(desk.service.service.db)
  const given = { cardAccountId, action: 'reject', rejectedReason: 'Invalid ID (expired doc)' }
  expect(await perform('decide-identity', given)).toMatchObject({ kind: 'done', result: { cardAccountId } })
  expect(await lastAudit()).toMatchObject({ act: 'lab.decide-identity', outcome: 'done', targetId: cardAccountId })
  const [row] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, cardAccountId))
  expect(row?.clientIdentityStatus).toBe('rejected')
  expect(await perform('decide-identity', { action: 'approve' })).toMatchObject({
    kind: 'invalid',
    fields: { cardAccountId: expect.any(String) },
  })
})

test('a charge returns the transaction, is audited with its card and published', async () => {
  const card = await addCard(desk.service.service.db)
  const result = await perform('charge', { ...card, amount: 12.5, currency: 'HKD', declineReason: 'lost-card' })
  expect(result).toMatchObject({
    kind: 'done',
    result: { transaction: { cardAccountId: card.cardAccountId, status: 'declined', reason: 'Lost card' } },
  })
  expect(await lastAudit()).toMatchObject({ act: 'lab.charge', outcome: 'done', targetId: card.cardId })
  expect(await lastChanges()).toContainEqual({ type: 'cardaccount', id: card.cardAccountId })
})

test('a repayment calls the simulator of the interface, which repays the debt or reports that there is none', async () => {
  const { cardAccountId } = await addCard(desk.service.service.db)
  await perform('fee', { cardAccountId, intent: 'x', amount: 12.5 })
  desk.requests.clear()
  const repaid = await perform('repay', { cardAccountIds: [cardAccountId] })
  expect(desk.requests.get('/cardaccounts/simulate-repay')).toBe(1)
  expect(repaid).toMatchObject({
    kind: 'done',
    result: { transaction: null, accounts: [{ amount: 12.5, currency: 'HKD' }] },
  })
  expect(await lastAudit()).toMatchObject({ act: 'lab.repay', outcome: 'done', targetId: cardAccountId })
  expect(await perform('repay', { cardAccountIds: [cardAccountId] })).toMatchObject({
    kind: 'refused',
    outcome: { happened: 'Nothing is outstanding on this card account.' },
  })
  expect(await lastAudit()).toMatchObject({ act: 'lab.repay', outcome: 'refused' })
  expect(await perform('repay', { cardAccountIds: ['x'] })).toMatchObject({
    kind: 'invalid',
    fields: { cardAccountIds: 'must be a UUID' },
  })
})

test('an error of the control plane is returned field by field, changes nothing and is audited', async () => {
  const card = await addCard(desk.service.service.db)
  const result = await perform('charge', { ...card, amount: -1, currency: 'XXX', merchant: { name: 'Shop', mcc: '1' } })
  expect(result).toMatchObject({
    kind: 'invalid',
    fields: { amount: 'must be greater than 0', currency: expect.any(String), 'merchant.mcc': expect.any(String) },
  })
  expect(await lastAudit()).toMatchObject({ act: 'lab.charge', outcome: 'refused', code: 'INVALID_PARAMETERS' })
  const [other] = await desk.service.service.db.select({ id: cardAccounts.id }).from(cardAccounts).limit(1)
  const mismatch = await perform('charge', { ...card, cardAccountId: other?.id, amount: 1, currency: 'HKD' })
  expect(mismatch).toMatchObject({ kind: 'refused', outcome: { code: 'SERVICE_REFUSED' } })
  expect(await lastAudit()).toMatchObject({ outcome: 'refused', code: 'CARD_NUMBER_MISMATCH' })
})

test('an action that is none, or not JSON, is refused', async () => {
  for (const input of [{ action: 'drop' }, { action: 'toString' }, { action: 'reset', given: [] }, {}]) {
    const result = await performLabAction({ environment: 'sandbox', given: {}, ...input } as never)
    expect(result).toMatchObject({ kind: 'invalid' })
  }
})

test('a card number entered as an id reaches no audit entry', async () => {
  const number = '4111 1111 1111 1111'
  for (const ids of [{ transactionId: number }, { transactionId: randomUUID(), cardAccountId: number }]) {
    await perform('capture', ids)
    const [entry] = await desk.db.select().from(auditEntries).orderBy(desc(auditEntries.number)).limit(1)
    expect(entry).toMatchObject({ act: 'lab.capture', outcome: 'refused' })
    expect([entry?.targetId, entry?.targetParentId]).toContain('•••• 1111')
    expect(JSON.stringify(entry)).not.toContain(number)
  }
})

test('the state shows the moved clock, faults and modes, until each is removed', async () => {
  await perform('advance', { advance: 'P1D' })
  await perform('arm-fault', { path: '/cards/lock', status: 500, times: 'always' })
  await callControlPlane(requireControl('sandbox'), { path: '/modes', body: { idForm: 'upper-case' } })
  await desk.signIn('viewer')
  const state = await readLabState('sandbox')
  expect(state).toMatchObject({ faults: [{ path: '/cards/lock', status: 500 }], modes: { idForm: 'upper-case' } })
  expect(Math.abs(state.aheadMs - dayMs)).toBeLessThan(minuteMs)
  expect(state.isFrozen).toBe(false)
  await callControlPlane(requireControl('sandbox'), { path: '/clock', body: { freeze: true } })
  expect((await readLabState('sandbox')).isFrozen).toBe(true)
  await callControlPlane(requireControl('sandbox'), { path: '/clock', body: { freeze: false } })
  await desk.signIn('operations')
  await perform('remove-fault', { id: state.faults[0]?.id })
  expect(await lastAudit()).toMatchObject({ act: 'lab.remove-fault', comment: `Fault ${state.faults[0]?.id}` })
  await perform('reset-modes')
  expect(await readLabState('sandbox')).toMatchObject({ faults: [], modes: { idForm: 'uuid' } })
  expect(await lastChanges()).toEqual([{ type: 'lab' }])
})

test('a restore and a reset read the index again before they return', async () => {
  const indexed = async () => (await desk.db.select({ id: indexedAccounts.id }).from(indexedAccounts)).length
  await addCard(desk.service.service.db)
  const taken = await perform('take-snapshot', { name: 'With one more account' })
  expect(taken.kind).toBe('done')
  const { snapshots } = (await desk.service.control('GET', '/snapshots', undefined, await signed('/snapshots'))).json
  await perform('reset')
  expect(await indexed()).toBe(4)
  expect(await perform('restore-snapshot', { id: snapshots[0].id })).toMatchObject({ kind: 'done' })
  expect(await indexed()).toBeGreaterThan(4)
  expect(await lastChanges()).toContainEqual({ type: 'cardaccounts' })
})

test('a reset settles what is open about the contents of before', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/cards/lock')) return false
    response.writeHead(500).end()
    return true
  }
  const operationId = randomUUID()
  const input = { ...target, operationId, reason: 'suspected-fraud' } as const
  expect(await runAction('card.lock', input)).toMatchObject({ operation: { outcome: { state: 'unknown' } } })
  delete desk.intercept.before
  await perform('reset')
  expect(await reads.readOperation('sandbox', operationId)).toMatchObject({
    outcome: { state: 'refused', code: 'CONTENTS_REPLACED', changed: 'no', needsReview: false },
  })
})

test('a reset ends the steps behind one that is being sent: the card that has the id now is not cancelled', async () => {
  await desk.signIn('operations')
  const { target, card, last4 } = await cardIn(desk, 'active')
  const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  desk.intercept.before = async (request) => {
    if (!request.url?.endsWith('/cards/lock')) return false
    arrived.resolve()
    await release.promise
    return false
  }
  desk.requests.clear()
  const replaced = runAction('card.replace', {
    ...target,
    operationId: randomUUID(),
    type: 'virtual',
    productId: card.productId,
    embossedName: 'NEW CARD',
    xid: '',
    isLost: true,
    confirmLast4: last4 ?? '',
  })
  await Promise.race([arrived.promise, replaced])
  await perform('reset')
  release.resolve()
  expect(await replaced).toMatchObject({
    operation: {
      outcome: { code: 'CONTENTS_REPLACED', happened: expect.stringMatching(/before this was sent\.$/) },
      steps: [{ kind: 'card.lock' }, { kind: 'card.cancel', outcome: { code: 'CONTENTS_REPLACED' } }],
    },
  })
  expect(desk.requests.get('/cards/cancel')).toBeUndefined()
})

test('a reset pauses the bulk jobs of the contents of before', async () => {
  const staff = await desk.signIn('operations')
  const accounts = await creditAccounts(desk)
  if (!staff) throw new Error('the seed has staff')
  const entry = limitJob(staff, [accounts[0]?.id ?? '', accounts[1]?.id ?? ''])
  const { arrived, letGo } = holdRequest(desk, 1)
  await startBulkJob(entry)
  await arrived
  await perform('reset')
  letGo()
  await bulkJobsDone()
  const { job, states } = await jobIn(desk, entry.id)
  expect(job).toMatchObject({ state: 'paused', pausedBecause: expect.stringContaining('contents were replaced by') })
  expect(states[1]).toBe('waiting')
})

async function signed(path: string) {
  const { bearer } = await import('#lib/service/testing.ts')
  return { authorization: await bearer(desk.service.caller, 'GET', `/service/control${path}`) }
}
