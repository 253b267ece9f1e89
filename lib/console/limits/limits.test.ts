import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import { indexAccounts } from '#lib/index/index-accounts.ts'
import { bulkJobsDone } from '#lib/operations/bulk/run.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { findChosenAccounts } from '../card-accounts/chosen.ts'
import { creditAccounts, jobIn } from '../testing/bulk.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { stubList, stubResponses } from '../testing/stub-responses.ts'
import { readLimitDraft } from './limit-draft.ts'
import { previewLimits, startLimits } from './many.ts'

const environment = 'sandbox' as const
const path = '/cardaccounts/fixed-limit'

async function arrange() {
  const desk = await openConsole()
  await desk.signIn('operations')
  const accounts = await creditAccounts(desk)
  const [account] = accounts
  const [prepaid] = await desk.service.service.db
    .select()
    .from(cardAccounts)
    .where(eq(cardAccounts.accountType, 'prepaid'))
  if (!account || !prepaid) throw new Error('the seed lacks a credit or a prepaid account')
  return { desk, accounts, account, prepaid }
}

async function limitOf({ service }: TestConsole, id: string): Promise<number> {
  const [account] = await service.service.db.select().from(cardAccounts).where(eq(cardAccounts.id, id))
  return Number(account?.limit)
}

async function read(text: string) {
  const result = await previewLimits({ environment, text })
  if (result.kind !== 'read') throw new Error(`not read: ${JSON.stringify(result)}`)
  return result.preview
}

test('a limit is set as one object, the account is read back, and index and audit have it at once', async () => {
  const { desk, account } = await arrange()
  const limitBefore = Number(account.limit)
  const result = await runAction('account.set-limit', {
    environment,
    operationId: randomUUID(),
    cardAccountId: account.id,
    limit: ' 12,345.60 ',
    limitBefore,
    reason: 'cardholder-request',
  })
  expect(result).toMatchObject({
    kind: 'settled',
    operation: { outcome: { state: 'done' } },
    record: { id: account.id, limit: 12345.6, available: Number(account.balance) + 12345.6 },
  })
  expect(await limitOf(desk, account.id)).toBe(12345.6)
  const [indexed] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, account.id))
  expect(Number(indexed?.limit)).toBe(12345.6)
  const [entry] = await desk.db.select().from(auditEntries)
  expect(entry).toMatchObject({
    act: 'account.set-limit',
    outcome: 'done',
    targetLabel: account.name,
    reason: 'cardholder-request',
  })
})

test('what cannot be a limit of the account is refused before anything is sent, field by field', async () => {
  const { desk, account, prepaid } = await arrange()
  const limitBefore = Number(account.limit)
  const attempt = (cardAccountId: string, limit: string, before = limitBefore) =>
    runAction('account.set-limit', {
      environment,
      operationId: randomUUID(),
      cardAccountId,
      limit,
      limitBefore: before,
      reason: 'credit-review',
    })
  const invalid = (problem: string) => ({ kind: 'invalid', fields: { limit: expect.stringContaining(problem) } })
  expect(await attempt(account.id, '12.345')).toMatchObject(invalid('decimals'))
  expect(await attempt(account.id, '-5')).toMatchObject(invalid('no sign'))
  expect(await attempt(account.id, '1000000000000')).toMatchObject(invalid('below'))
  expect(await attempt(account.id, String(limitBefore))).toMatchObject(invalid('is that already'))
  expect(await attempt(account.id, '5', limitBefore + 1)).toMatchObject(invalid('was changed meanwhile'))
  expect(await attempt(prepaid.id, '5', 0)).toMatchObject(invalid('prepaid'))
  expect(await attempt(randomUUID(), '5')).toMatchObject({
    kind: 'refused',
    outcome: { code: 'CARD_ACCOUNT_NOT_FOUND', changed: 'no' },
  })
  expect(desk.requests.get(path)).toBeUndefined()
})

test('a higher limit needs a reason, a lower one none', async () => {
  const { desk, account } = await arrange()
  const limitBefore = Number(account.limit)
  const attempt = (limit: number) =>
    runAction('account.set-limit', {
      environment,
      operationId: randomUUID(),
      cardAccountId: account.id,
      limit: String(limit),
      limitBefore,
    })
  const reason = expect.stringContaining('higher limit')
  expect(await attempt(limitBefore + 1)).toMatchObject({ kind: 'invalid', fields: { reason } })
  expect(await limitOf(desk, account.id)).toBe(limitBefore)
  expect(await attempt(limitBefore - 1)).toMatchObject({ kind: 'settled', operation: { outcome: { state: 'done' } } })
})

test('a limit that the record does not show yet is named as amounts are', async () => {
  const { desk, account } = await arrange()
  desk.intercept.before = ({ method, url }, response) => {
    if (method !== 'POST' || !url?.endsWith(path)) return false
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    return true
  }
  const result = await runAction('account.set-limit', {
    environment,
    operationId: randomUUID(),
    cardAccountId: account.id,
    limit: '10',
    limitBefore: Number(account.limit),
  })
  const shown = moneyText(Number(account.limit), account.currency)
  expect(result).toMatchObject({ operation: { outcome: { finding: { text: `The limit is ${shown}.` } } } })
})

test('a response lost after the effect: thirty clicks set the limit once, and a retry returns done', async () => {
  const { desk, account } = await arrange()
  await desk.service.control('POST', '/faults', { path, status: 0, times: 1, after: true, delayMs: 0 })
  const input = {
    environment,
    operationId: randomUUID(),
    cardAccountId: account.id,
    limit: '777',
    limitBefore: Number(account.limit),
  }
  const results = await Promise.all(Array.from({ length: 30 }, () => runAction('account.set-limit', input)))
  results.push(await runAction('account.set-limit', input))
  for (const result of results) {
    expect(result).toMatchObject({ operation: { outcome: { state: 'done' } }, record: { limit: 777 } })
  }
  expect(desk.requests.get(path)).toBe(2)
})

test('a file is read line by line: what each would do, and why a line is left out', async () => {
  const { accounts, account, prepaid } = await arrange()
  const [, second, third, fourth] = accounts
  if (!second || !third || !fourth) throw new Error('the seed has too few credit accounts')
  const withXid = accounts.find(({ xid }) => xid !== null)
  const preview = await read(
    [
      'Limit;note;Card Account ID;xid',
      `5000.00;first;${account.id.toUpperCase()};`,
      `0.01;below what is owed;${second.id};`,
      `100;twice;${third.id};`,
      `200;twice;${third.id};`,
      `1;unknown;${randomUUID()};`,
      `1;prepaid;${prepaid.id};`,
      `1.234;decimals;${fourth.id};`,
      `1,50;comma;${fourth.id};`,
      `${Number(fourth.limit)};no change;${fourth.id};`,
      '1;nobody;;',
      '1;of another form;42;',
      `1;wrong xid;${fourth.id};not-its-own`,
      '1;unknown xid;;nobody-has-this',
    ].join('\n'),
  )
  expect(preview.lines.map(({ line, problem }) => [line, problem])).toEqual([
    [2, null],
    [3, null],
    [4, 'Lines 4 and 5 name the same account.'],
    [5, 'Lines 4 and 5 name the same account.'],
    [6, 'There is no such account in this environment.'],
    [7, 'A prepaid account has no limit.'],
    [8, expect.stringContaining('decimals')],
    [9, expect.stringContaining('commas only between thousands')],
    [10, expect.stringContaining('name the same account')],
    [11, 'No account is named.'],
    [12, 'There is no such account in this environment.'],
    [13, 'The account has another xid than the line says.'],
    [14, 'There is no such account in this environment.'],
  ])
  expect(preview).toMatchObject({ accounts: 2, leftOut: 11, ignoredColumns: ['note'], asOf: expect.any(String) })
  const [first] = preview.lines
  expect(first).toMatchObject({
    given: account.id.toUpperCase(),
    account: { name: account.name, currency: account.currency },
    limitNow: String(Number(account.limit)),
    limitNew: '5000',
    availableAfter: String(Number(account.balance) + 5000),
  })
  expect(preview.lines[1]?.isBelowOutstanding).toBe(Number(second.balance) < -0.01)
  if (withXid?.xid) {
    const { lines } = await read(`xid,limit\n${withXid.xid},123`)
    expect(lines[0]).toMatchObject({ given: withXid.xid, account: { id: withXid.id }, problem: null })
  }
})

test('an account whose fields are missing is found in any case; what is not provided is no 0', async () => {
  const { desk } = await arrange()
  const id = randomUUID()
  const record = { id: id.toUpperCase(), currency: 'USD', accountType: 'credit', limit: '400.40000000000003' }
  const requested: (string | null)[] = []
  const listed: { body: object } = { body: { cardaccounts: [{ id: 'another' }, record, {}] } }
  desk.intercept.before = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.test')
    if (!pathname.endsWith('/cardaccounts') || !searchParams.has('cardAccountId')) return false
    requested.push(searchParams.get('cardAccountId'))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(listed.body))
    return true
  }
  expect((await read(`cardAccountId,limit\n${id},5`)).lines).toMatchObject([
    {
      account: { id: id.toUpperCase(), name: null, currency: 'USD' },
      limitNow: '400.4',
      availableAfter: null,
      isBelowOutstanding: null,
      problem: null,
    },
  ])
  expect(requested).toEqual([id])
  listed.body = { cardaccounts: [{ id: 'Acc_1', currency: null }] }
  expect((await read('cardAccountId,limit\nnobody,5')).lines).toMatchObject([
    { problem: 'There is no such account in this environment.' },
  ])
  listed.body = { items: [] }
  expect((await read('cardAccountId,limit\nAcc_2,5')).lines).toMatchObject([
    { given: 'Acc_2', problem: expect.stringContaining('could not read this account') },
  ])
})

test('accounts whose ids differ in case alone are two: both lines count, and a job for one takes that one', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  const record = { currency: 'HKD', accountType: 'credit', limit: 5 }
  const accounts = ['CA_X', 'ca_x'].map((id) => ({ ...record, id, name: `Account ${id}` }))
  stubResponses(desk, { '/cardaccounts': stubList('cardaccounts', accounts, 'cardAccountId') })
  expect((await read('cardAccountId,limit\nCA_X,10\nca_x,20\nCa_X,30')).lines).toMatchObject([
    { account: { id: 'CA_X' }, limitNew: '10', problem: null },
    { account: { id: 'ca_x' }, limitNew: '20', problem: null },
    { account: null, problem: 'There is no such account in this environment.' },
  ])
  const { accounts: chosen } = await findChosenAccounts(environment, ['CA_X'], {})
  expect(chosen.map(({ id }) => id)).toEqual(['CA_X'])
})

test('an id that looks like a card number names the account that has it; where none has, the file is refused unsent', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  const [id, number] = ['4000000000000000774', '4242424242424242']
  const record = { id, name: 'Luhn Lee', currency: 'HKD', accountType: 'credit', limit: 5 }
  await indexAccounts(desk.db, environment, [record as CardAccount], new Date())
  stubResponses(desk, { '/cardaccounts': stubList('cardaccounts', [record], 'cardAccountId') })
  expect((await read(`cardAccountId,limit\n${id},10`)).lines).toMatchObject([{ account: { id }, problem: null }])
  desk.requests.clear()
  const refused = await previewLimits({ environment, text: `cardAccountId,limit\n${id},10\n${number},20` })
  expect(refused).toEqual({
    kind: 'unreadable',
    problem: { line: 3, problem: expect.stringContaining('may be a card number') },
  })
  expect(desk.requests.get('/cardaccounts')).toBeUndefined()
})

test('what a spreadsheet writes with grouped thousands is the same limit, in quotation marks or between semicolons', async () => {
  const { account } = await arrange()
  for (const text of [`cardAccountId,limit\n${account.id},"25,000.00"`, `cardAccountId;limit\n${account.id};25'000`]) {
    const { lines } = await read(text)
    expect(lines).toMatchObject([{ limitNew: '25000', problem: null }])
  }
  const unquoted = await previewLimits({ environment, text: `cardAccountId,limit\n${account.id},25,000.00` })
  expect(unquoted).toMatchObject({ kind: 'unreadable', problem: { line: 2 } })
})

test('a line that would change nothing is left out', async () => {
  const { account } = await arrange()
  const { lines } = await read(`cardAccountId,limit\n${account.id},${Number(account.limit)}`)
  expect(lines[0]?.problem).toBe('The limit is that already.')
})

test('a limit that was changed elsewhere a moment ago is never called the same', async () => {
  const { desk, account, accounts } = await arrange()
  const before = Number(account.limit)
  const text = `cardAccountId,limit\n${accounts.map(({ id, limit }) => `${id},${Number(limit)}`).join('\n')}`
  await read(text)
  await desk.service.call('setFixedLimit', { body: { cardAccountId: account.id, limit: before + 1 } })
  const { lines, accounts: count } = await read(text)
  expect(count).toBe(1)
  expect(lines.find((line) => line.account?.id === account.id)).toMatchObject({
    limitNow: String(before + 1),
    limitNew: String(before),
    problem: null,
  })
  await desk.stopService()
  const stored = await read(text)
  expect(new Set(stored.lines.map(({ problem }) => problem))).toEqual(
    new Set([null, 'The limit was the same when it was last read.']),
  )
})

test('an xid that moved to another account meanwhile does not set the limit of the one that had it', async () => {
  const { desk, account } = await arrange()
  const { db } = desk.service.service
  const limit = Number(account.limit)
  const text = `xid,limit\nmoved-1,${limit}`
  await db.update(cardAccounts).set({ xid: 'moved-1' }).where(eq(cardAccounts.id, account.id))
  expect((await read(text)).lines).toMatchObject([{ problem: 'The limit is that already.' }])
  const changed = { xid: null, limit: String(limit - 1) }
  await db.update(cardAccounts).set(changed).where(eq(cardAccounts.id, account.id))
  expect((await read(text)).lines).toMatchObject([
    { account: { id: account.id }, problem: 'The account has another xid than the line says.' },
  ])
})

test('many accounts are read again from the pages of the list, not one by one', async () => {
  const desk = await openConsole({ seeded: 160 })
  await desk.signIn('operations')
  const accounts = await creditAccounts(desk)
  expect(accounts.length).toBeGreaterThan(61)
  const text = `cardAccountId,limit\n${accounts.map(({ id, limit }) => `${id},${Number(limit)}`).join('\n')}`
  await read(text)
  const [changed] = accounts.slice(-1)
  const limit = Number(changed?.limit) + 1
  await desk.service.call('setFixedLimit', { body: { cardAccountId: changed?.id ?? '', limit } })
  desk.requests.clear()
  const { lines, accounts: count } = await read(text)
  expect(count).toBe(1)
  expect(lines.at(-1)).toMatchObject({ limitNow: String(limit), problem: null })
  expect(desk.requests.get('/cardaccounts')).toBeLessThanOrEqual(4)
})

test('the export of the accounts is a file of limits: its column Id names the account', async () => {
  const { account } = await arrange()
  const limit = Number(account.limit) + 5
  const { lines } = await read(`"Id","xid","Name","Limit"\n"${account.id}","","Somebody","${limit}.00"`)
  expect(lines).toMatchObject([{ account: { id: account.id }, problem: null }])
})

test.each([
  ['cardAccountId\nx', 1, 'no column limit'],
  ['limit\n1', 1, 'no column cardAccountId or xid'],
  ['a0b1c2,500\nd,2', 1, 'It must be the first line'],
  ['xid,limit,Limit\nx,1,1', 1, 'names limit twice'],
  ['xid,limit\n', 1, 'nothing below'],
  ['xid,limit\nx,"1', 2, 'never closed'],
])('a file that is none of limits is refused as a whole: %j', async (text, line, problem) => {
  await arrange()
  expect(await previewLimits({ environment, text })).toMatchObject({
    kind: 'unreadable',
    problem: { line, problem: expect.stringContaining(problem) },
  })
})

test('the good lines become a job of one request each; the same start again is the same job', async () => {
  const { desk, accounts } = await arrange()
  const chosen = accounts.slice(0, 4)
  const text = `cardAccountId,limit\n${chosen.map(({ id }, index) => `${id},${3000 + index}`).join('\n')}\nnobody,1`
  const { accounts: count, leftOut, digest } = await read(text)
  expect({ count, leftOut }).toEqual({ count: 4, leftOut: 1 })
  const input = {
    environment,
    operationId: randomUUID(),
    text,
    reason: 'credit-review' as const,
    comment: 'Yearly',
    confirmed: { accounts: count, leftOut, digest },
  }
  expect(await startLimits(input)).toEqual({ kind: 'started', jobId: input.operationId })
  expect(await startLimits(input)).toEqual({ kind: 'started', jobId: input.operationId })
  await bulkJobsDone()
  // Its rows have changed the limits: the file does not come to what was confirmed any more.
  expect(await startLimits(input)).toEqual({ kind: 'started', jobId: input.operationId })
  const { job, items, states } = await jobIn(desk, input.operationId)
  expect(job).toMatchObject({ title: 'Set 4 fixed limits', reason: 'Credit review: Yearly', state: 'finished' })
  expect(states).toEqual(Array(4).fill('done'))
  expect(items[1]?.facts).toMatchObject({ account: chosen[1]?.name, limit: '3001', currency: chosen[1]?.currency })
  expect(await Promise.all(chosen.map(({ id }) => limitOf(desk, id)))).toEqual([3000, 3001, 3002, 3003])
  expect(desk.requests.get(path)).toBe(4)
  const trail = await desk.db.select().from(auditEntries).orderBy(asc(auditEntries.number))
  expect(trail.map(({ act }) => act)).toEqual(['bulk.start', ...Array(4).fill('account.set-limit')])
})

test('the limits before a job are a file again, but for those that somebody changed since', async () => {
  const { desk, accounts } = await arrange()
  const [one, other] = accounts
  if (!one || !other) throw new Error('the seed has too few credit accounts')
  const operationId = randomUUID()
  const text = `cardAccountId,limit\n${one.id},9001\n${other.id},9002`
  const { accounts: count, leftOut, digest } = await read(text)
  const confirmed = { accounts: count, leftOut, digest }
  await startLimits({ environment, operationId, text, reason: 'credit-review', confirmed })
  await bulkJobsDone()
  const before = (await jobIn(desk, operationId)).items.map(({ targetId, facts }) => `${targetId},${facts.limitBefore}`)
  const undo = async () => (await readLimitDraft(environment, { undo: operationId })).text.trim().split(/\r?\n/)
  expect(await undo()).toEqual(['cardAccountId,limit', ...before])
  const change = {
    environment,
    cardAccountId: one.id,
    limit: '9003',
    limitBefore: 9001,
    operationId: randomUUID(),
  }
  await runAction('account.set-limit', { ...change, reason: 'credit-review' })
  expect(await limitOf(desk, one.id)).toBe(9003)
  expect(await undo()).toEqual(['cardAccountId,limit', ...before.filter((line) => line.startsWith(other.id))])
})

test('a limit that somebody changed after a job was confirmed stays as it is; the other rows are done', async () => {
  const { desk, accounts } = await arrange()
  const [one, other] = accounts
  if (!one || !other) throw new Error('the seed has too few credit accounts')
  const text = `cardAccountId,limit\n${one.id},9001\n${other.id},9002`
  const { accounts: count, leftOut, digest } = await read(text)
  await desk.service.call('setFixedLimit', { body: { cardAccountId: one.id, limit: 0 } })
  const operationId = randomUUID()
  const confirmed = { accounts: count, leftOut, digest }
  await startLimits({ environment, operationId, text, reason: 'credit-review', confirmed })
  await bulkJobsDone()
  const { items } = await jobIn(desk, operationId)
  const [row] = items.filter(({ state }) => state === 'refused')
  expect(row).toMatchObject({ targetId: one.id, code: 'CHANGED_MEANWHILE', message: expect.stringContaining('0.00') })
  expect([await limitOf(desk, one.id), await limitOf(desk, other.id)]).toEqual([0, 9002])
})

test('nothing starts where anything is not as it was confirmed, or no reason is given', async () => {
  const { desk, account } = await arrange()
  const text = `cardAccountId,limit\n${account.id},4321`
  const { accounts, leftOut, digest } = await read(text)
  const input = {
    environment,
    operationId: randomUUID(),
    text,
    reason: 'credit-review' as const,
    confirmed: { accounts, leftOut, digest },
  }
  const changed = {
    kind: 'invalid',
    fields: { confirmed: 'is not what the file comes to any more: an account in it was changed since' },
  }
  expect(await startLimits({ ...input, text: text.replace('4321', '4322') })).toMatchObject(changed)
  expect(await startLimits({ ...input, confirmed: { accounts, leftOut: 1, digest } })).toMatchObject(changed)
  expect(await startLimits({ ...input, text: '' })).toMatchObject(changed)
  expect(await startLimits({ ...input, reason: '' })).toMatchObject({ fields: { reason: expect.any(String) } })
  const { id: cardAccountId, limit } = account
  await runAction('account.set-limit', {
    environment,
    operationId: randomUUID(),
    cardAccountId,
    limit: '9',
    limitBefore: Number(limit),
  })
  expect(await startLimits(input)).toMatchObject(changed)
  expect(desk.requests.get(path)).toBe(1)
})

test('a person who may not set limits can neither preview nor start, and the attempt is audited', async () => {
  const { desk, account } = await arrange()
  const text = `cardAccountId,limit\n${account.id},4321`
  for (const role of ['viewer', 'support', 'approver', 'admin'] as const) {
    await desk.signIn(role)
    const refused = { kind: 'refused', outcome: { code: 'NOT_PERMITTED' } }
    expect(await previewLimits({ environment, text })).toMatchObject(refused)
    const confirmed = { accounts: 1, leftOut: 0, digest: '' }
    expect(
      await startLimits({ environment, operationId: randomUUID(), text, reason: 'credit-review', confirmed }),
    ).toMatchObject(refused)
    const input = { environment, operationId: randomUUID(), cardAccountId: account.id, limit: '1', limitBefore: 1 }
    expect(await runAction('account.set-limit', input)).toMatchObject(refused)
  }
  await desk.signIn(null)
  expect(await previewLimits({ environment, text })).toMatchObject({ outcome: { code: 'NOT_SIGNED_IN' } })
  // The refused preview and start of one person are identical: the second is counted.
  const trail = await desk.db.select().from(auditEntries)
  expect(trail.map(({ act, code }) => `${act} ${code}`)).toEqual(Array(8).fill('account.set-limit NOT_PERMITTED'))
})
