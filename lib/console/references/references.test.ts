import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import { openBody, findOperation } from '#lib/operations/journal.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { cards } from '#lib/service/tables/cards.ts'
import { payouts } from '#lib/service/tables/payouts.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import type { ActionInput } from '../actions.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { readReference } from './detail.ts'

type SetReferenceInput = ActionInput<'reference.set'>

const keep = { mode: 'keep' } as const
const remove = { mode: 'remove' } as const
const replace = (text: string) => ({ mode: 'replace' as const, text })

type Change = Pick<SetReferenceInput, 'xid' | 'xmetadata'>
type Target = Pick<SetReferenceInput, 'targetType' | 'targetId'>

async function openDesk(): Promise<{ desk: TestConsole; account: typeof cardAccounts.$inferSelect; target: Target }> {
  const desk = await openConsole({ seeded: 3 })
  await desk.signIn('operations')
  const [account] = await desk.service.service.db.select().from(cardAccounts).limit(1)
  if (!account) throw new Error('the seed has an account')
  return { desk, account, target: { targetType: 'cardaccount', targetId: account.id } }
}

async function inputFor(target: Target, change: Change): Promise<SetReferenceInput> {
  const { revision } = await readReference('sandbox', target.targetType, target.targetId)
  return { environment: 'sandbox', operationId: randomUUID(), ...target, ...change, revision }
}

async function accountNow({ service }: TestConsole, id: string) {
  const [row] = await service.service.db.select().from(cardAccounts).where(eq(cardAccounts.id, id))
  return row
}

test('keep, replace and remove send three different bodies with three different effects', async () => {
  const { desk, account, target } = await openDesk()
  const wire = (rest: object) => JSON.stringify({ target: { type: 'cardaccount', id: account.id }, ...rest })
  const steps: [Change, object, { xid: string | null; xmetadata: unknown }][] = [
    [
      { xid: replace('EMP-7'), xmetadata: replace('{"team": "ops", "floor": 3}') },
      { xid: 'EMP-7', xmetadata: { team: 'ops', floor: 3 } },
      { xid: 'EMP-7', xmetadata: { team: 'ops', floor: 3 } },
    ],
    [{ xid: keep, xmetadata: replace('["a"]') }, { xmetadata: ['a'] }, { xid: 'EMP-7', xmetadata: ['a'] }],
    [{ xid: remove, xmetadata: keep }, { xid: null }, { xid: null, xmetadata: ['a'] }],
    [{ xid: keep, xmetadata: replace('"text"') }, { xmetadata: 'text' }, { xid: null, xmetadata: 'text' }],
    [
      { xid: replace('EMP-8'), xmetadata: remove },
      { xid: 'EMP-8', xmetadata: null },
      { xid: 'EMP-8', xmetadata: null },
    ],
  ]
  for (const [change, sent, after] of steps) {
    const input = await inputFor(target, change)
    const result = await runAction('reference.set', input)
    expect(result).toMatchObject({ kind: 'settled', operation: { outcome: { state: 'done' } }, record: after })
    const row = await findOperation(desk.db, input.operationId)
    expect(row && openBody(row)?.toString()).toBe(wire(sent))
    expect(await accountNow(desk, account.id)).toMatchObject(after)
    const [indexed] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, account.id))
    expect(indexed).toMatchObject(after)
  }
  expect(await desk.db.select().from(auditEntries)).toHaveLength(steps.length)
})

test('cards and payouts are changed alike, and the index of the cards knows at once', async () => {
  const { desk, account } = await openDesk()
  await readOneAccount('sandbox', account.id)
  const [card] = await readCards('sandbox', account.id)
  const [payout] = await desk.service.service.db.select().from(payouts).limit(1)
  if (!card || !payout) throw new Error('the seed has a card and a payout')
  for (const target of [
    { targetType: 'card', targetId: card.id },
    { targetType: 'payout', targetId: payout.id },
  ] as const) {
    const xid = `REF-${target.targetType}`
    const result = await runAction(
      'reference.set',
      await inputFor(target, { xid: replace(xid), xmetadata: replace('{"a":[1]}') }),
    )
    expect(result).toMatchObject({ kind: 'settled', record: { xid, xmetadata: { a: [1] } } })
  }
  const [onService] = await desk.service.service.db.select().from(cards).where(eq(cards.id, card.id))
  expect(onService).toMatchObject({ xid: 'REF-card' })
  const [indexed] = await desk.db.select().from(indexedCards).where(eq(indexedCards.id, card.id))
  expect(indexed?.record).toMatchObject({ xid: 'REF-card', xmetadata: { a: [1] } })
  const [row] = await desk.db.select().from(operations).where(eq(operations.targetId, card.id))
  expect(row).toMatchObject({ targetLabel: `card ending ${card.last4}`, targetParentId: account.id })
})

test('a value changed by another person since it was read is not overwritten: nothing is sent', async () => {
  const { desk, account, target } = await openDesk()
  const late = await inputFor(target, { xid: replace('LATE'), xmetadata: keep })
  await runAction('reference.set', await inputFor(target, { xid: replace('FIRST'), xmetadata: keep }))
  desk.requests.clear()
  expect(await runAction('reference.set', late)).toEqual({ kind: 'invalid', fields: { revision: expect.any(String) } })
  expect(desk.requests.get('/xmetadata/set')).toBeUndefined()
  expect(await accountNow(desk, account.id)).toMatchObject({ xid: 'FIRST' })
  const { revision } = await readReference('sandbox', 'cardaccount', account.id)
  expect(await runAction('reference.set', { ...late, revision })).toMatchObject({
    kind: 'settled',
    record: { xid: 'LATE' },
  })
})

test('an external id that another record has is refused with its code, and nothing changes', async () => {
  const { desk, account, target } = await openDesk()
  const others = await desk.service.service.db.select().from(cardAccounts)
  const taken = others.find(({ id, xid }) => id !== account.id && xid !== null)?.xid ?? 'none'
  const result = await runAction('reference.set', await inputFor(target, { xid: replace(taken), xmetadata: remove }))
  expect(result).toMatchObject({
    kind: 'settled',
    operation: { outcome: { state: 'refused', changed: 'no', code: 'XID_ALREADY_EXISTS', status: 409 } },
    record: { xid: account.xid, xmetadata: account.xmetadata },
  })
})

test('a retry after a lost response finds the one effect, not a change by another person, and sends nothing', async () => {
  const { desk, account, target } = await openDesk()
  const input = await inputFor(target, { xid: replace('ONCE'), xmetadata: keep })
  await runAction('reference.set', input)
  expect(await accountNow(desk, account.id)).toMatchObject({ xid: 'ONCE' })
  const past = new Date(Date.now() - 1000)
  const lost = { state: 'unknown', settledAt: null, leaseUntil: past, nextSettlementAt: past } as const
  await desk.db.update(operations).set(lost)
  desk.requests.clear()
  expect(await runAction('reference.set', input)).toMatchObject({
    kind: 'settled',
    operation: { outcome: { state: 'done' } },
    record: { xid: 'ONCE' },
  })
  expect(desk.requests.get('/xmetadata/set')).toBeUndefined()
  expect(await desk.db.select().from(operations)).toHaveLength(1)
})

test('the same press twice at once is one operation', async () => {
  const { desk, target } = await openDesk()
  const input = await inputFor(target, { xid: replace('TWICE'), xmetadata: keep })
  const results = await Promise.all([
    runAction('reference.set', input),
    runAction('reference.set', input),
    runAction('reference.set', input),
  ])
  for (const result of results) {
    expect(result).toMatchObject({ kind: 'settled', operation: { outcome: { state: 'done' } } })
  }
  expect(desk.requests.get('/xmetadata/set')).toBe(1)
})

test('wrong fields, hostile input and unknown targets get an error and reach no service', async () => {
  const { desk, account, target } = await openDesk()
  const fine = await inputFor(target, { xid: replace('A'), xmetadata: keep })
  const wrong: [object, Record<string, unknown>][] = [
    [{ xid: keep }, { change: expect.any(String) }],
    [{ xid: replace('') }, { xid: 'must not be empty' }],
    [{ xid: replace('4242 4242 4242 4242') }, { xid: 'must not hold a card number' }],
    [{ xmetadata: replace('{"a": 1,}') }, { xmetadata: expect.stringContaining('Line 1, column 9') }],
    [{ xmetadata: replace('{"pan": "4242424242424242"}') }, { xmetadata: expect.stringContaining('card number') }],
    [{ xid: null }, { xid: expect.any(String) }],
    [{ xid: { mode: 'replace' } }, { 'xid.text': expect.any(String) }],
    [{ xid: { mode: '__proto__' } }, expect.any(Object) as never],
    [{ targetType: 'webhook' }, { targetType: expect.any(String) }],
    [{ targetId: 'x\n' }, { targetId: expect.any(String) }],
    [{ revision: 'x' }, { revision: expect.any(String) }],
  ]
  desk.requests.clear()
  for (const [change, fields] of wrong) {
    const result = await runAction('reference.set', { ...fine, ...change } as SetReferenceInput)
    expect(result, JSON.stringify(change)).toEqual({ kind: 'invalid', fields })
  }
  expect(desk.requests.get('/xmetadata/set')).toBeUndefined()
  for (const [targetType, code] of [
    ['cardaccount', 'CARD_ACCOUNT_NOT_FOUND'],
    ['card', 'CARD_NOT_FOUND'],
    ['payout', 'PAYOUT_NOT_FOUND'],
  ] as const) {
    const unknown = { ...fine, targetType, targetId: randomUUID() }
    expect(await runAction('reference.set', unknown)).toMatchObject({
      kind: 'refused',
      outcome: { code, changed: 'no' },
    })
    await expect(readReference('sandbox', targetType, randomUUID())).rejects.toMatchObject({ code })
  }
  expect(await accountNow(desk, account.id)).toMatchObject({ xid: account.xid })
})

test('a person who may not edit references is refused, and the attempt is in the audit trail with its target', async () => {
  const { desk, account, target } = await openDesk()
  const input = await inputFor(target, { xid: replace('A'), xmetadata: keep })
  await desk.signIn('support')
  desk.requests.clear()
  expect(await runAction('reference.set', input)).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
  expect(desk.requests.size).toBe(0)
  const [entry] = await desk.db.select().from(auditEntries)
  expect(entry).toMatchObject({
    act: 'reference.set',
    outcome: 'refused',
    targetType: 'cardaccount',
    targetId: account.id,
  })
})
