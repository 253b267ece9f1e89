import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { recordAudit, verifyAuditChain } from '#lib/audit/chain.ts'
import type { AuditDetail } from '#lib/audit/types.ts'
import { bulkJobsDone } from '#lib/operations/bulk/run.ts'
import { startBulkJob } from '#lib/operations/bulk/start.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'
import { reads } from '../reads.ts'
import { creditAccounts, limitJob } from '../testing/bulk.ts'
import { cardIn } from '../testing/cards.ts'
import { accountsIn, chargeFees } from '../testing/fees.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'

const { readAuditEntry, listAudit } = reads

const environment = 'sandbox' as const

async function arrange(): Promise<TestConsole> {
  const desk = await openConsole({ seeded: 4 })
  await desk.signIn('operations')
  return desk
}

async function newest() {
  const { entries } = await listAudit(environment, { pageSize: 1 })
  const [entry] = entries
  if (!entry) throw new Error('the trail is empty')
  return entry
}

function opened(number: number): Promise<AuditDetail> {
  return readAuditEntry(environment, String(number))
}

test('an entry of a limit has the old and new limit and the account, for one limit and for a job’s row', async () => {
  const desk = await arrange()
  const [account] = await creditAccounts(desk)
  if (!account) throw new Error('the seed has a credit account')
  const { id, name, xid, currency } = account
  const limitBefore = Number(account.limit)
  const one = {
    environment,
    operationId: randomUUID(),
    cardAccountId: id,
    limit: '21,000.50',
    limitBefore,
    reason: 'credit-review' as const,
  }
  expect(await runAction('account.set-limit', one)).toMatchObject({ kind: 'settled' })
  const facts = { account: { id, name, xid }, bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
  expect((await newest()).facts).toMatchObject({
    ...facts,
    limit: { before: String(limitBefore), after: '21000.5', currency },
  })
  const by = await desk.signIn('operations')
  if (!by) throw new Error('nobody is signed in')
  const { items, ...job } = limitJob(by, [id])
  const withLimit = items.map((item) => ({ ...item, facts: { ...item.facts, limitBefore: '21000.5' } }))
  await startBulkJob({ ...job, items: withLimit })
  await bulkJobsDone()
  expect((await newest()).facts).toMatchObject({ ...facts, limit: { before: '21000.5', after: '1001', currency } })
  expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true })
})

test('an entry has its account and its address whatever the form of the service’s ids', async () => {
  const desk = await arrange()
  const by = await desk.signIn('operations')
  await reads.listCardAccounts(environment, {})
  const [row] = await desk.db.select().from(indexedAccounts).limit(1)
  if (!row) throw new Error('no account is indexed')
  const account = { id: 'acc-1042', name: 'Wong', xid: 'E-7' }
  await desk.db.insert(indexedAccounts).values({ ...row, ...account })
  const [url, now] = ['https://ledger.example.com/in', new Date()]
  await desk.db.insert(watchedWebhooks).values({ environment, id: 'hook-9', url, firstSeenAt: now, seenAt: now })
  const record = (act: string, type: 'cardaccount' | 'webhook', id: string) =>
    recordAudit(desk.db, { by, environment, act, target: { type, id, parentId: null, label: null }, outcome: 'done' })
  await record('account.set-limit', 'cardaccount', account.id)
  expect((await newest()).facts.account).toEqual(account)
  await record('webhook.test', 'webhook', 'hook-9')
  expect((await newest()).facts.address).toBe(url)
})

test('an entry of a fee names its account, one of a webhook its address; an entry without an operation has none of them', async () => {
  const desk = await arrange()
  const [account] = await accountsIn(desk)
  if (!account) throw new Error('the seed has accounts')
  const [fee] = await chargeFees(desk, account.id, [12.5])
  await runAction('fee.waive', { reason: 'goodwill', environment, operationId: randomUUID(), feeId: fee?.id ?? '' })
  const { id, name, xid } = account
  expect((await newest()).facts).toMatchObject({ account: { id, name, xid }, limit: null, address: null })
  const url = 'https://ledger.example.com/in'
  await runAction('webhook.create', { environment, operationId: randomUUID(), url, events: ['*'], name: 'critic-sync' })
  expect(await newest()).toMatchObject({ target: { label: 'critic-sync' }, facts: { address: url, account: null } })
  await desk.signIn('approver')
  expect(
    await runAction('card.lock', { ...(await cardIn(desk, 'active')).target, operationId: randomUUID() }),
  ).toMatchObject({
    kind: 'refused',
  })
  expect(await newest()).toMatchObject({
    code: 'NOT_PERMITTED',
    facts: { account: null, limit: null, address: null, bodySha256: null, resultId: null },
  })
})

test('an opened entry shows the exact bytes that were sent, never those that held a PIN or hold a card number', async () => {
  const desk = await arrange()
  const [account] = await creditAccounts(desk)
  if (!account) throw new Error('the seed has a credit account')
  const operationId = randomUUID()
  const limitBefore = Number(account.limit)
  await runAction('account.set-limit', {
    reason: 'credit-review',
    environment,
    operationId,
    cardAccountId: account.id,
    limit: '777',
    limitBefore,
  })
  const limit = await newest()
  expect(await opened(limit.number)).toMatchObject({
    entry: limit,
    request: {
      call: 'POST /cardaccounts/fixed-limit',
      body: expect.stringContaining('"limit":777'),
      withheld: null,
    },
  })
  await desk.db
    .update(operations)
    .set({ sealedBody: Buffer.alloc(60) })
    .where(eq(operations.id, operationId))
  expect((await opened(limit.number)).request).toMatchObject({
    body: null,
    withheld: expect.stringContaining('any more'),
  })
  expect((await newest()).facts.limit).toBeNull()
  const { target } = await cardIn(desk, 'active')
  await desk.service.control('POST', '/faults', {
    path: '/cards/change-pin',
    status: 0,
    times: 9,
    after: true,
    delayMs: 0,
  })
  await runAction('card.change-pin', {
    ...target,
    reason: 'cardholder-request',
    operationId: randomUUID(),
    pin: '483920',
  })
  const pin = await opened((await newest()).number)
  expect(pin.request).toMatchObject({ body: null, withheld: expect.stringContaining('held a secret') })
  expect(JSON.stringify(pin)).not.toContain('483920')
  const name = '4242 4242 4242 4242'
  await runAction('webhook.create', {
    environment,
    operationId: randomUUID(),
    url: 'https://a.example.com/in',
    events: ['*'],
    name,
  })
  expect((await opened((await newest()).number)).request).toMatchObject({
    body: null,
    withheld: expect.stringContaining('card number'),
  })
})

test('an entry is opened by a person who may read the trail, in its own environment', async () => {
  const desk = await arrange()
  await runAction('card.lock', {
    ...(await cardIn(desk, 'active')).target,
    operationId: randomUUID(),
    reason: 'lost-or-stolen',
  })
  const { number } = await newest()
  const none = { code: 'AUDIT_ENTRY_NOT_FOUND', status: 404 }
  for (const other of [String(number + 1), '-1', '0x1', 'x', '9'.repeat(40)])
    await expect(readAuditEntry(environment, other)).rejects.toMatchObject(none)
  await expect(readAuditEntry('production', String(number))).rejects.toMatchObject(none)
  await desk.signIn('viewer')
  await expect(opened(number)).rejects.toMatchObject({ code: 'NOT_PERMITTED', status: 403 })
  await desk.signIn('approver')
  expect((await opened(number)).request).toMatchObject({ body: expect.any(String) })
})
