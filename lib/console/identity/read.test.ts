import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { shortId } from '#lib/shared/ids.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { readCardAccount } from '../card-accounts/list.ts'
import { applyingDone } from '../inbox/apply.ts'
import { readOverview } from '../overview.ts'
import { deliver, signingKey } from '../testing/deliveries.ts'
import { individual } from '../testing/individual.ts'
import { shareConsole } from '../testing/open-console.ts'
import { listIdentities, readIdentityCase } from './read.ts'
import { identityReadsDone } from './rejections.ts'

const desk = shareConsole({ seeded: 30 })
const reason = 'Additional Doc for Non-HK Resident (unclear image)'

async function rejectOne(rejectedReason: string): Promise<string> {
  const { rows } = await listIdentities('sandbox', {})
  const id = rows.find(({ account }) => account.clientIdentityStatus === 'approved')?.account.id
  if (!id) throw new Error('the seed has an approved account')
  await desk.service.call('simulateClientIdentityStatus', {
    body: { cardAccountId: id, action: 'reject', rejectedReason, rejectionAdditionalInfo: 'call +85291234567' },
  })
  await readCardAccount('sandbox', id)
  // On a busy machine, the counts that were made before the rejection are stored for a while.
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
  return id
}

test('the queue lists one status, oldest first, with the counts of all', async () => {
  await desk.signIn('viewer')
  await rejectOne(reason)
  const all = await listIdentities('sandbox', {})
  expect(all.counts.reduce((sum, { accounts }) => sum + accounts, 0)).toBe(all.matching)
  for (const { status, accounts } of all.counts) {
    const { rows, matching } = await listIdentities('sandbox', { status: String(status), pageSize: 100 })
    expect(matching).toBe(accounts)
    expect(rows.map(({ account }) => account.clientIdentityStatus)).toEqual(Array(accounts).fill(status))
    const opened = rows.map(({ account }) => account.createdAt)
    expect(opened).toEqual(opened.toSorted())
  }
})

test('a rejection has its reason in the queue, the filter, the account and the overview', async () => {
  await desk.signIn('operations')
  const id = await rejectOne(reason)
  await listIdentities('sandbox', { status: 'rejected', pageSize: 100 })
  await identityReadsDone()
  const { rows, reasons } = await listIdentities('sandbox', { status: 'rejected', reason, pageSize: 100 })
  expect(rows.map(({ rejectedReason }) => rejectedReason)).toEqual(rows.map(() => reason))
  expect(rows.map(({ account }) => account.id)).toContain(id)
  expect(reasons).toContainEqual({ reason, accounts: rows.length })
  expect(await readCardAccount('sandbox', id)).toMatchObject({ rejectedReason: reason })
  const item = (await readOverview('sandbox')).attention.find((one) => one.id === 'identity-rejected')
  const rejected = (await listIdentities('sandbox', { status: 'rejected', pageSize: 100 })).rows
  // The order of the list, and as much as tells two of one name apart.
  expect(item?.examples.map(({ id, detail }) => [id, detail])).toEqual(
    rejected
      .slice(0, 5)
      .map(({ account, rejectedReason }) => [
        account.id,
        [rejectedReason, account.xid ?? shortId(account.id)].filter(Boolean).join(' · '),
      ]),
  )
})

test('a stored reason is not shown after another decision', async () => {
  await desk.signIn('operations')
  const id = await rejectOne(reason)
  expect(await readCardAccount('sandbox', id)).toMatchObject({ rejectedReason: reason })
  await desk.service.call('simulateClientIdentityStatus', { body: { cardAccountId: id, action: 'approve' } })
  expect(await readCardAccount('sandbox', id)).toMatchObject({ rejectedReason: null })
  const { rows } = await listIdentities('sandbox', { q: id })
  expect(rows).toMatchObject([{ rejectedReason: null }])
})

test('a case has the masked individual, the reason and the history', async () => {
  await desk.signIn('operations')
  const id = await rejectOne(reason)
  const found = await readIdentityCase('sandbox', id)
  expect(found).toMatchObject({
    account: { id },
    identity: { status: 'rejected', rejectedReason: reason },
    history: [{ kind: 'submitted' }, { kind: 'rejected', rejectedReason: reason }],
  })
  await expect(readIdentityCase('sandbox', 'nobody')).rejects.toMatchObject({ code: 'CARD_ACCOUNT_NOT_FOUND' })
})

test('an account is shown where the service provides no identities', async () => {
  await desk.signIn('operations')
  const id = await rejectOne(reason)
  await desk.service.call('simulateClientIdentityStatus', { body: { cardAccountId: id, action: 'approve' } })
  await readCardAccount('sandbox', id)
  await desk.service.call('simulateClientIdentityStatus', { body: { cardAccountId: id, action: 'reject' } })
  desk.intercept.after = (request) =>
    request.url?.includes('/client-identity?') ? Response.json({ message: 'Not Found' }, { status: 404 }) : null
  expect(await readCardAccount('sandbox', id)).toMatchObject({ account: { id }, rejectedReason: null })
})

test('a resubmission follows the rejection where the clock of the sandbox is ahead', async () => {
  await desk.signIn('operations')
  const { json } = await desk.service.control('POST', '/clock', { advance: 'P5D' })
  const id = await rejectOne(reason)
  const event = 'cardaccount.client-identity.rejected'
  await deliver(await signingKey(), {
    id: randomUUID(),
    event,
    data: { cardAccountId: id, xid: null, rejectedReason: reason, rejectionAdditionalInfo: '' },
    time: json.now,
  })
  await applyingDone()
  const result = await runAction('identity.resubmit', {
    environment: 'sandbox',
    operationId: randomUUID(),
    cardAccountId: id,
    individual,
  })
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } } })
  const { history } = await readIdentityCase('sandbox', id)
  expect(history).toMatchObject([
    { kind: 'submitted' },
    { kind: 'rejected', event: { name: event } },
    { kind: 'resubmitted', source: 'operation', by: expect.any(String) },
  ])
})

test('a resubmission that is too large for the service says that its file is', async () => {
  await desk.signIn('operations')
  const id = await rejectOne(reason)
  desk.intercept.before = ({ method }, response) => {
    if (method !== 'POST') return false
    response.writeHead(413).end('<html>Request Entity Too Large</html>')
    return true
  }
  const input = { environment: 'sandbox' as const, operationId: randomUUID(), cardAccountId: id, individual }
  expect(await runAction('identity.resubmit', input)).toMatchObject({
    operation: {
      outcome: {
        state: 'refused',
        changed: 'no',
        happened: 'A document is too large for the card service.',
        next: 'Attach a smaller file of it, then submit again.',
      },
    },
  })
})

test('a service whose rate limit is reached is not called for every reason', async () => {
  await desk.signIn('operations')
  for (let rejected = 0; rejected < 6; rejected += 1) await rejectOne(reason)
  await identityReadsDone()
  await desk.db.update(indexedAccounts).set({ identityReadAt: null })
  let requests = 0
  desk.intercept.after = (request) => {
    if (!request.url?.includes('/client-identity?')) return null
    requests += 1
    return Response.json({ message: 'Slow down' }, { status: 429 })
  }
  for (let views = 0; views < 3; views += 1) {
    await listIdentities('sandbox', { status: 'rejected', pageSize: 100 })
    await identityReadsDone()
  }
  // Four readers begin, each with the client's usual number of attempts; none goes on, and no view begins again.
  expect(requests).toBeGreaterThan(0)
  expect(requests).toBeLessThanOrEqual(4 * 4)
})

test('while the service is down a case shows what was last read, masked, with its age', async () => {
  await desk.signIn('operations')
  const id = await rejectOne(reason)
  const before = await readIdentityCase('sandbox', id)
  expect(before.freshness.source).toBe('service')
  await desk.stopService()
  try {
    const stored = await readIdentityCase('sandbox', id)
    expect(stored).toMatchObject({
      account: { id },
      identity: { status: 'rejected', rejectedReason: reason, rejectionAdditionalInfo: 'call •••• 4567' },
      history: before.history,
      freshness: { source: 'index', asOf: before.freshness.asOf },
    })
    expect(stored.identity.individual).toMatchObject({
      firstName: before.identity.individual?.firstName,
      dateOfBirth: '•••',
      address: '•••',
      email: expect.stringContaining('•••') as string,
      mobile: expect.stringMatching(/^••••/) as string,
    })
    await expect(readIdentityCase('sandbox', randomUUID())).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
  } finally {
    await desk.startService()
  }
})
