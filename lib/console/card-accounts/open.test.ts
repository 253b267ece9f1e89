import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { settleUnknownOperations } from '#lib/operations/settle-due.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { dayMs } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { operations } from '#lib/tables/operations.ts'
import type { ActionInput } from '../actions.ts'
import { listIndividualLists } from '../identity/individual.ts'
import { individual } from '../testing/individual.ts'
import { shareConsole } from '../testing/open-console.ts'
import { listCardAccounts, readCardAccount } from './list.ts'

type OpenAccountInput = ActionInput<'account.open'>

const desk = shareConsole()
const environment = 'sandbox'
const png = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='

beforeEach(async () => {
  await desk.signIn('operations')
  await desk.service.control('DELETE', '/faults')
})

function inputFor(change: Partial<OpenAccountInput> = {}): OpenAccountInput {
  return {
    environment,
    operationId: randomUUID(),
    name: `Mei Chan ${randomUUID()}`,
    phoneNumber: '+85291234567',
    accountType: 'credit',
    currency: 'HKD',
    limit: '25,000.00',
    xid: '',
    xmetadata: '',
    individual,
    ...change,
  }
}

async function opened(name: string): Promise<number> {
  const { db } = desk.service.service
  return (await db.select().from(cardAccounts).where(eq(cardAccounts.name, name))).length
}

const lose = (after: boolean) =>
  desk.service.control('POST', '/faults', {
    path: '/cardaccounts',
    method: 'POST',
    status: 0,
    times: 1,
    after,
    delayMs: 0,
  })

test('an account is opened with all its terms, and is listed with its identity pending', async () => {
  const input = inputFor({ xid: 'EMP-77', xmetadata: '{"department":"sales"}' })
  const result = await runAction('account.open', input)
  expect(result).toMatchObject({
    operation: { outcome: { state: 'done' } },
    record: { name: input.name, limit: 25_000, clientIdentityStatus: 'pending', xid: 'EMP-77', balance: 0 },
  })
  const id = (result.kind === 'settled' && result.operation.resultId) || ''
  expect((await readCardAccount(environment, id)).account.xmetadata).toEqual({ department: 'sales' })
  expect((await listCardAccounts(environment, { q: input.name })).matching).toBe(1)
  // The audit log names the account itself, so that its entry leads there.
  const [entry] = await desk.db.select().from(auditEntries).where(eq(auditEntries.operationId, input.operationId))
  expect(entry).toMatchObject({ act: 'account.open', targetId: id, targetLabel: input.name, outcome: 'done' })
})

test.each([
  ['a lost response', ''],
  ['a lost response, with an external ID', `xid-${randomUUID()}`],
])('after %s the account is looked up, and opened once', async (_, xid) => {
  await runAction('account.open', inputFor())
  await lose(true)
  const input = inputFor({ xid })
  const result = await runAction('account.open', input)
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } }, record: { name: input.name } })
  expect(await runAction('account.open', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect(await opened(input.name)).toBe(1)
})

test.each([
  ['is the one with the external ID', `xid-${randomUUID()}`, { state: 'done' }],
  [
    'without an external ID may be an earlier one',
    '',
    { state: 'unknown', finding: { text: 'The list of accounts does not show whether this one was opened.' } },
  ],
])('an account whose times have no zone %s', async (_, xid, outcome) => {
  const input = inputFor({ xid })
  await lose(true)
  const createdAt = new Date(Date.now() - 3_600_000).toISOString().replace('Z', '')
  desk.intercept.before = async ({ method, url }, response) => {
    if (method !== 'GET' || !/\/cardaccounts\?(?!.*cardAccountId)/.test(url ?? '')) return false
    const made = await desk.service.service.db.select().from(cardAccounts).where(eq(cardAccounts.name, input.name))
    const { name, phoneNumber, accountType, currency } = input
    const listed = made.map(({ id }) => ({ id, name, phoneNumber, accountType, currency, xid: xid || null, createdAt }))
    response.end(JSON.stringify({ cardaccounts: listed, nextPageToken: null }))
    return true
  }
  expect(await runAction('account.open', input)).toMatchObject({ operation: { outcome } })
  expect(await opened(input.name)).toBe(1)
})

test.each([
  ['+852 9123-4567', 'done'],
  ['(852) 91234567', 'done'],
  ['91234567', 'done'],
  ['+852****4567', 'done'],
  ['+852****4568', 'unknown'],
  ['+85291234568', 'unknown'],
])('an account that is listed with its phone number as %s is looked up: %s', async (phoneNumber, state) => {
  const input = inputFor()
  await lose(true)
  desk.intercept.before = async ({ method }) => {
    const { db } = desk.service.service
    const values = { phoneNumber, name: input.name.toUpperCase().split(' ').toReversed().join(', ') }
    if (method === 'GET') await db.update(cardAccounts).set(values).where(eq(cardAccounts.name, input.name))
    return false
  }
  expect(await runAction('account.open', input)).toMatchObject({ operation: { outcome: { state } } })
})

test('two accounts of the same name and terms are distinguished by who opened them', async () => {
  const first = inputFor()
  await runAction('account.open', first)
  await lose(true)
  const second = await runAction('account.open', { ...first, operationId: randomUUID() })
  expect(second).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect(await opened(first.name)).toBe(2)
})

test('a request that was lost without an account is not sent again on trust', async () => {
  await lose(false)
  const input = inputFor()
  expect(await runAction('account.open', input)).toMatchObject({ operation: { outcome: { state: 'unknown' } } })
  expect(await runAction('account.open', input)).toMatchObject({
    operation: { outcome: { code: 'NEEDS_REVIEW', needsReview: true } },
  })
  expect(await opened(input.name)).toBe(0)
})

test('every rule is named at its field before anything is sent', async () => {
  const wrong = inputFor({
    name: ' ',
    phoneNumber: '9123 4567',
    individual: { ...individual, nationality: 'SG', dateOfBirth: '1990-02-30' },
  })
  expect(await runAction('account.open', wrong)).toMatchObject({
    kind: 'invalid',
    fields: {
      name: expect.any(String),
      phoneNumber: expect.stringContaining('E.164'),
      'individual.dateOfBirth': expect.any(String),
      'individual.supportingDocuments': 'is required when nationality is not HK',
    },
  })
  expect(await runAction('account.open', inputFor({ accountType: 'prepaid' }))).toMatchObject({
    fields: { limit: expect.any(String) },
  })
  expect(
    await runAction('account.open', inputFor({ limit: '', xid: 'x'.repeat(257), xmetadata: '[1]' })),
  ).toMatchObject({
    fields: { limit: 'must be given', xid: expect.stringContaining('256'), xmetadata: expect.any(String) },
  })
  expect(desk.requests.get('/cardaccounts')).toBeUndefined()
})

const documents = (file: string, documentType = 'PASSPORT') =>
  ({ supportingDocuments: [{ documentType, file }] }) as object

test.each([
  ['half of a travel permit', documents(png, 'TRAVEL_PERMIT_FRONT'), 'individual.supportingDocuments', 'together'],
  [
    'the retired travel permit',
    documents(png, 'TRAVEL_PERMIT'),
    'individual.supportingDocuments.0.documentType',
    'replaced by',
  ],
  [
    'a page',
    documents('data:text/html;base64,PHNjcmlwdD4='),
    'individual.supportingDocuments.0.file',
    'JPEG, PNG or PDF',
  ],
  [
    'a page that is called a picture',
    documents('data:image/png;base64,PHNjcmlwdD4='),
    'individual.supportingDocuments.0.file',
    'JPEG',
  ],
  [
    '900 KB',
    documents(`data:image/png;base64,iVBORw0KGgo${'A'.repeat(1_200_000)}`),
    'individual.supportingDocuments',
    '700 KB',
  ],
])('%s as a document is refused by the server as well', async (_, change, field, problem) => {
  const result = await runAction(
    'account.open',
    inputFor({ individual: { ...individual, ...change } as OpenAccountInput['individual'] }),
  )
  expect(result).toMatchObject({ kind: 'invalid', fields: { [field]: expect.stringContaining(problem) } })
})

test('what the service refuses is named at its field, also of lists that are its own', async () => {
  const xid = `xid-${randomUUID()}`
  await runAction('account.open', inputFor({ xid }))
  expect(await runAction('account.open', inputFor({ xid }))).toMatchObject({
    operation: { outcome: { state: 'refused', code: 'XID_ALREADY_EXISTS' } },
    fields: { xid: 'is in use already' },
  })
  const occupation = inputFor({ individual: { ...individual, occupation: 'astronaut' } })
  expect(await runAction('account.open', occupation)).toMatchObject({
    operation: { outcome: { state: 'refused' } },
    fields: { 'individual.occupation': 'must be a code of the occupations list' },
  })
})

test('once the outcome is known, nothing of the person or the documents is left in the journal, the audit log or a digest', async () => {
  const input = inputFor({
    individual: { ...individual, nationality: 'SG', ...documents(png) } as OpenAccountInput['individual'],
  })
  await runAction('account.open', input)
  const [row] = await desk.db.select().from(operations).where(eq(operations.id, input.operationId))
  expect(row).toMatchObject({ state: 'done', sealedBody: null, bodySha256: null, holdsSecret: true, expected: null })
  const { rows } = await desk.db.execute<{ text: string }>(
    sql`select o::text || ' ' || a::text as text from ${operations} o, ${auditEntries} a`,
  )
  const stored = rows.map(({ text }) => text).join('\n')
  for (const secret of ['A1234567', individual.email, individual.address, 'iVBORw0KGgo', individual.dateOfBirth]) {
    expect(stored).not.toContain(secret)
  }
})

test('the bytes of an operation that stays open are erased after a day', async () => {
  await lose(false)
  const input = inputFor()
  await runAction('account.open', input)
  const isOperation = eq(operations.id, input.operationId)
  expect((await desk.db.select().from(operations).where(isOperation))[0]?.sealedBody).not.toBeNull()
  await desk.db
    .update(operations)
    .set({ createdAt: new Date(Date.now() - dayMs - 1000) })
    .where(isOperation)
  await settleUnknownOperations()
  expect((await desk.db.select().from(operations).where(isOperation))[0]?.sealedBody).toBeNull()
})

test('occupations and positions are those of the service', async () => {
  const { occupations, positions } = await listIndividualLists(environment)
  expect(occupations).toContainEqual({ code: 'engineer', name: 'Engineer' })
  expect(positions.length).toBeGreaterThan(3)
})
