import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { refusedFields } from '#lib/operations/spec.ts'
import { products } from '#lib/service/seed/products.ts'
import { cards } from '#lib/service/tables/cards.ts'
import { operations } from '#lib/tables/operations.ts'
import type { ActionInput } from '../actions.ts'
import { accountsIn } from '../testing/fees.ts'
import { shareConsole } from '../testing/open-console.ts'
import { philippines, quoted } from '../testing/payouts.ts'
import { listCardProducts } from './issue.ts'

const desk = shareConsole()
const environment = 'sandbox'

beforeEach(async () => {
  await desk.signIn('operations')
  await desk.service.control('DELETE', '/faults')
})

async function inputFor(change: Partial<ActionInput<'card.issue'>> = {}): Promise<ActionInput<'card.issue'>> {
  const [account] = await accountsIn(desk)
  return {
    environment,
    operationId: randomUUID(),
    cardAccountId: account?.id ?? '',
    type: 'virtual',
    productId: products.online.id ?? '',
    embossedName: 'MEI CHAN',
    xid: '',
    ...change,
  }
}

async function issued(embossedName: string): Promise<number> {
  const { db } = desk.service.service
  return (await db.select().from(cards).where(eq(cards.embossedName, embossedName))).length
}

test('a card is issued, read back and named by the operation', async () => {
  const result = await runAction('card.issue', await inputFor({ embossedName: ' AH MEI ' }))
  if (result.kind !== 'settled') throw new Error(result.kind)
  expect(result.operation.outcome).toMatchObject({ state: 'done', changed: 'yes' })
  expect(result.record).toMatchObject({ embossedName: 'AH MEI', status: 'active' })
  expect(result.operation.resultId).toBe(result.record?.id)
  const physical = await runAction(
    'card.issue',
    await inputFor({ type: 'physical', productId: products.everyday.id ?? '' }),
  )
  expect(physical).toMatchObject({ record: { status: 'pending-issue' } })
})

test('a card is issued with its references; metadata that cannot be sent are named, and nothing is sent', async () => {
  const xid = `xid-${randomUUID()}`
  const result = await runAction('card.issue', await inputFor({ xid, xmetadata: '{"seat":"4F"}' }))
  expect(result).toMatchObject({
    operation: { outcome: { state: 'done' } },
    record: { xid, xmetadata: { seat: '4F' } },
  })
  desk.requests.clear()
  expect(await runAction('card.issue', await inputFor({ xmetadata: '[1]' }))).toMatchObject({
    kind: 'invalid',
    fields: { xmetadata: 'must hold texts alone where it is a list' },
  })
  expect(desk.requests.get('/cards')).toBeUndefined()
})

test('a lost response: the new card is found among others of the same name, and issued once', async () => {
  await runAction('card.issue', await inputFor({ embossedName: 'LOST TWICE' }))
  const fault = { path: '/cards', method: 'POST', status: 0, times: 1, after: true, delayMs: 0 }
  await desk.service.control('POST', '/faults', fault)
  const input = await inputFor({ embossedName: 'LOST TWICE' })
  const result = await runAction('card.issue', input)
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } }, record: { embossedName: 'LOST TWICE' } })
  expect(await runAction('card.issue', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect(await issued('LOST TWICE')).toBe(2)
})

test('a card whose response was lost is found where the service embosses the name in its own form', async () => {
  const fault = { path: '/cards', method: 'POST', status: 0, times: 1, after: true, delayMs: 0 }
  await desk.service.control('POST', '/faults', fault)
  const input = await inputFor({ embossedName: 'MARIA SANTOS' })
  desk.intercept.before = async ({ method, url }) => {
    if (method === 'GET' && url?.includes('/cards'))
      await desk.service.service.db
        .update(cards)
        .set({ embossedName: 'SANTOS/MARIA' })
        .where(eq(cards.embossedName, 'MARIA SANTOS'))
    return false
  }
  expect(await runAction('card.issue', input)).toMatchObject({
    operation: { outcome: { state: 'done' } },
    record: { embossedName: 'SANTOS/MARIA' },
  })
})

test('a response with a card that the account had before: the new card is found', async () => {
  const input = await inputFor({ embossedName: 'OLD CARD' })
  const { record: old } = (await runAction('card.issue', input)) as { record?: { id: string } }
  desk.intercept.after = ({ method, url }) => (method === 'POST' && url?.endsWith('/cards') ? Response.json(old) : null)
  const result = await runAction('card.issue', { ...input, operationId: randomUUID() })
  const { db } = desk.service.service
  const made = await db.select().from(cards).where(eq(cards.embossedName, 'OLD CARD'))
  expect(made).toHaveLength(2)
  expect(result).toMatchObject({ operation: { resultId: made.find(({ id }) => id !== old?.id)?.id } })
})

test('a response with an earlier card, where two cards may be the new one, shows neither', async () => {
  const input = await inputFor({ embossedName: 'OLD AND NEW' })
  const { record: old } = (await runAction('card.issue', input)) as { record?: { id: string } }
  const isIssuing = ({ method, url }: { method?: string; url?: string }) => method === 'POST' && url?.endsWith('/cards')
  desk.intercept.before = async (request) => {
    if (!isIssuing(request)) return false
    delete desk.intercept.before
    const { cardAccountId, type, productId, embossedName } = input
    await desk.service.call('issueCard', { body: { cardAccountId, type, productId, embossedName } })
    return false
  }
  desk.intercept.after = (request) => (isIssuing(request) ? Response.json(old) : null)
  expect(await runAction('card.issue', { ...input, operationId: randomUUID() })).toMatchObject({
    operation: { resultId: old?.id, outcome: { state: 'unknown', code: 'NOT_CONFIRMED' } },
  })
})

test('a card that the account had before is not taken for the new one where its ID is in another case', async () => {
  const input = await inputFor({ embossedName: 'LARGE LETTERS' })
  await runAction('card.issue', input)
  await desk.db.delete(operations)
  desk.intercept.before = ({ method, url }, response) => {
    if (method !== 'POST' || !url?.endsWith('/cards')) return false
    void desk.service.control('POST', '/modes', { idForm: 'upper-case' }).then(() => response.destroy())
    return true
  }
  onTestFinished(() => void desk.service.control('DELETE', '/modes'))
  expect(await runAction('card.issue', { ...input, operationId: randomUUID() })).toMatchObject({
    operation: { resultId: null, outcome: { state: 'unknown' } },
  })
  expect(await issued('LARGE LETTERS')).toBe(1)
})

test('a card whose only response is a 409 is done where the account has it', async () => {
  desk.intercept.after = ({ method, url }) =>
    method === 'POST' && url?.endsWith('/cards') ? Response.json({ message: 'in progress' }, { status: 409 }) : null
  expect(await runAction('card.issue', await inputFor({ embossedName: 'TOLD TWICE' }))).toMatchObject({
    operation: { outcome: { state: 'done' } },
    record: { embossedName: 'TOLD TWICE' },
  })
})

test('a request that was lost without a card is not sent again on trust: a person has to look', async () => {
  const fault = { path: '/cards', method: 'POST', status: 0, times: 1, after: false, delayMs: 0 }
  await desk.service.control('POST', '/faults', fault)
  const input = await inputFor({ embossedName: 'NEVER MADE' })
  expect(await runAction('card.issue', input)).toMatchObject({ operation: { outcome: { state: 'unknown' } } })
  expect(await runAction('card.issue', input)).toMatchObject({
    operation: { outcome: { state: 'unknown', code: 'NEEDS_REVIEW', needsReview: true } },
  })
  expect(await issued('NEVER MADE')).toBe(0)
})

test('a service that honours keys in bodies only makes one card of a request whose response was lost', async () => {
  await desk.service.control('POST', '/modes', { ignoreIdempotencyKeys: 'header' })
  onTestFinished(() => void desk.service.control('DELETE', '/modes'))
  await quoted(philippines)
  const fault = { path: '/cards', method: 'POST', status: 0, times: 1, after: true }
  await desk.service.control('POST', '/faults', fault)
  expect(await runAction('card.issue', await inputFor({ embossedName: 'ONE ONLY' }))).toMatchObject({
    operation: { outcome: { state: 'done' } },
  })
  expect(await issued('ONE ONLY')).toBe(1)
})

test('what is wrong is named at its field, before sending and by the service', async () => {
  expect(await runAction('card.issue', await inputFor({ embossedName: '陳', productId: '' }))).toMatchObject({
    kind: 'invalid',
    fields: { embossedName: expect.stringContaining('Latin'), productId: 'must be an id' },
  })
  expect(desk.requests.get('/cards')).toBeUndefined()
  const xid = `xid-${randomUUID()}`
  await runAction('card.issue', await inputFor({ xid }))
  expect(await runAction('card.issue', await inputFor({ xid }))).toMatchObject({ fields: { xid: 'is in use already' } })
  const wrongType = await inputFor({ productId: products.everyday.id ?? '' })
  expect(await runAction('card.issue', wrongType)).toMatchObject({
    operation: { outcome: { state: 'refused' } },
    fields: { productId: 'must be a product for virtual cards' },
  })
})

test('the products are those that cards of the environment have', async () => {
  const [account] = await accountsIn(desk)
  if (!account) throw new Error('the seed has no account')
  await runAction('card.issue', await inputFor())
  const { products: found } = await listCardProducts(environment)
  expect(found.map(({ id }) => id)).toContain(products.online.id)
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
})

test('an error is split by its fields; parts that name no field of the form are left out', () => {
  const refused = (message: string, code = 'INVALID_PARAMETERS') =>
    refusedFields({ state: 'refused', code, message }, ['xid', 'individual', 'individual.address'])
  expect(refused('xid: must not be empty; individual.address: must be text; unknown: no')).toEqual({
    xid: 'must not be empty',
    'individual.address': 'must be text',
  })
  expect(refused('individual.supportingDocuments[0].file: must be a data URI')).toEqual({
    individual: 'must be a data URI',
  })
  expect(refused('taken', 'XID_ALREADY_EXISTS')).toEqual({ xid: 'is in use already' })
  expect(refusedFields({ state: 'unknown', code: null, message: 'xid: no' }, ['xid'])).toEqual({})
})
