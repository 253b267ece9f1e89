import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { describeView } from '#components/embed/describe-view.ts'
import { runAction } from '#lib/actions/run-action.ts'
import type { EmbedView } from '#lib/api/embed-view.ts'
import type { HelpDeskPolicy } from '#lib/api/help-desk-requests.ts'
import type { CardStatus } from '#lib/contract/terms.ts'
import { notificationsWritten } from '#lib/live/publish.ts'
import { decideApproval } from '#lib/operations/approvals/decide.ts'
import { expireApprovals } from '#lib/operations/approvals/expire.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { embedKeys } from '#lib/tables/embed.ts'
import { operations } from '#lib/tables/operations.ts'
import { staff } from '#lib/tables/staff.ts'
import { notes } from '#lib/tables/team.ts'
import { listApprovals, readApproval } from '../approvals/read.ts'
import { readMyWork } from '../my-work.ts'
import { finishHandover, takeHandover } from '../notes/write.ts'
import { addStaff, approvalIn, setPolicy } from '../testing/approvals.ts'
import { captureLog } from '../testing/capture-log.ts'
import { cardIn, readCardStatus } from '../testing/cards.ts'
import { accountsIn, chargeFees, feeIn } from '../testing/fees.ts'
import { shareConsole } from '../testing/open-console.ts'
import { respondToTokenRequest } from './create-token.ts'
import { createEmbedKey, revokeEmbedKey } from './keys.ts'
import { respondToTicketRequest } from './request.ts'
import { signEmbedToken } from './token.ts'
import { respondToViewRequest } from './view.ts'

/* What an agent requests from a ticket. */

const environment = 'sandbox' as const
const origin = 'https://help.example.com'
const agent = { name: 'Kim Lee', email: 'Kim.Lee@help.example.com' }
const everything: HelpDeskPolicy = {
  lock: 'approval',
  replace: 'approval',
  waive: 'approval',
  'call-back': 'hand-over',
}

const desk = shareConsole({ seeded: 12 })
let key = { id: '', secret: '' }

beforeEach(async () => {
  captureLog()
  await desk.db.update(approvals).set({ state: 'withdrawn' }).where(eq(approvals.state, 'waiting'))
  await setPolicy(desk, [], { helpDesk: everything })
  await desk.signIn('admin')
  const created = await createEmbedKey({ environment, name: 'Zendesk' })
  await desk.signIn(null)
  if (created.kind !== 'created') throw new Error('no key')
  key = { id: created.key.id, secret: created.secret }
})

type Object = { type: string; id: string; cardAccountId?: string | null }

async function tokenOf(object: Object, fields: object = { agent, ticket: 'T-17' }) {
  const response = await respondToTokenRequest(
    new Request('https://console.test/api/embed/tokens', {
      method: 'POST',
      headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ environment, origin, ...object, ...fields }),
    }),
  )
  return { status: response.status, ...((await response.json()) as { token: string; message: string }) }
}

const addressOf = ({ type, id, cardAccountId }: Object) =>
  new URLSearchParams({ environment, type, id, ...(cardAccountId ? { cardAccountId } : {}) })

async function viewOf(object: Object, token: string, search = ''): Promise<EmbedView> {
  const headers = { authorization: `Bearer ${token}`, 'x-carddesk-host': origin }
  const url = `https://console.test/api/embed/view?${addressOf(object)}${search}`
  const response = await respondToViewRequest(new Request(url, { headers }), describeView)
  expect(response.status).toBe(200)
  return ((await response.json()) as { view: EmbedView }).view
}

/** As the frame sends it. A header of null is left out. */
async function ask(object: Object, token: string, body: unknown, changed: Record<string, string | null> = {}) {
  const sent: Record<string, string | null> = {
    authorization: `Bearer ${token}`,
    'x-carddesk-host': origin,
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    origin: consoleSettings().consoleUrl,
    ...changed,
  }
  const headers = new Headers(Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
  const url = `https://console.test/api/embed/requests?${addressOf(object)}`
  const response = await respondToTicketRequest(
    new Request(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }),
  )
  return { status: response.status, ...((await response.json()) as { code?: string; id?: string; message?: string }) }
}

async function cardView(status: CardStatus = 'active') {
  const { target } = await cardIn(desk, status)
  const object = { type: 'card', id: target.cardId, cardAccountId: target.cardAccountId }
  return { object, ...(await tokenOf(object)) }
}

const lock = (requestId: string = randomUUID()) => ({
  requestId,
  kind: 'lock',
  reason: 'lost-or-stolen',
  note: 'Lost it',
})

async function decide(approvalId: string, decision: 'approve' | 'decline' = 'approve') {
  const { topic, fingerprint } = await approvalIn(desk, approvalId)
  return decideApproval({ environment, approvalId, topic, decision, reason: 'No such call', fingerprint })
}

async function trailOf(operationId: string) {
  const rows = await desk.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.operationId, operationId))
    .orderBy(auditEntries.number)
  return rows.map(({ act, staffName, staffRole, outcome, comment }) => [act, staffName, staffRole, outcome, comment])
}

test('nothing can be requested where the policy says nothing of it, and an attempt is audited', async () => {
  await setPolicy(desk, [])
  const { object, token } = await cardView()
  expect((await viewOf(object, token)).requests).toBeNull()
  const request = lock()
  expect(await ask(object, token, request)).toMatchObject({ status: 403, code: 'REQUEST_NOT_ALLOWED' })
  const [refused] = await trailOf(request.requestId)
  expect(refused?.slice(0, 4)).toEqual(['card.lock', 'Kim Lee (Zendesk)', null, 'refused'])
  expect(await readCardStatus(desk, object.id)).toBe('active')
})

test('a lock that may be made at once is not made once its key is revoked while the card is read', async () => {
  await setPolicy(desk, [], { helpDesk: { lock: 'immediate' } })
  const { object, token } = await cardView()
  desk.intercept.before = async ({ method, url }) => {
    if (method !== 'GET' || !url?.includes('/cards?')) return false
    await desk.db
      .update(embedKeys)
      .set({ revokedAt: new Date(), revokedBy: 'Grace Ma' })
      .where(eq(embedKeys.id, key.id))
    return false
  }
  const request = lock()
  await ask(object, token, request)
  delete desk.intercept.before
  expect(await readCardStatus(desk, object.id)).toBe('active')
  expect((await trailOf(request.requestId)).map(([act, , , outcome]) => [act, outcome])).toEqual([
    ['card.lock', 'refused'],
  ])
})

test('a lock waits at the desk as its exact bytes, Operations approves it, and the frame shows each step', async () => {
  const { object, token } = await cardView()
  const before = await viewOf(object, token)
  expect(before.requests?.offers.map(({ kind }) => kind)).toEqual(['lock', 'replace', 'call-back'])
  const request = lock()
  expect(await ask(object, token, request)).toEqual({ status: 201, id: request.requestId })
  expect(desk.requests.get('/cards/lock')).toBeUndefined()
  const waiting = await viewOf(object, token)
  expect(waiting.requests?.rows).toMatchObject([
    {
      title: 'Lock card',
      detail: expect.stringMatching(/^Ticket T-17 · Kim Lee · .+ · expires /) as string,
      status: { label: 'Waits for approval' },
    },
  ])
  expect(waiting.requests?.offers.map(({ kind }) => kind)).toEqual(['replace', 'call-back'])

  const operator = await desk.signIn('operations')
  const { sections } = await readMyWork(environment)
  expect(sections.find(({ source }) => source === 'approvals')).toMatchObject({
    items: [{ id: request.requestId, by: 'Kim Lee (Zendesk)' }],
  })
  const detail = await readApproval(environment, request.requestId)
  expect(detail).toMatchObject({
    approval: {
      topic: 'help-desk',
      by: { name: 'Kim Lee (Zendesk)', role: null },
      ticket: 'T-17',
      comment: 'Ticket T-17: Lost it',
      reason: 'lost-or-stolen',
      because: ['Kim Lee (Zendesk) requests it from ticket T-17.'],
    },
    isOwn: false,
    request: { body: JSON.stringify({ cardAccountId: object.cardAccountId, cardId: object.id }) },
  })
  expect((await listApprovals(environment, { topic: 'help-desk' })).approvals[0]).toMatchObject({ ticket: 'T-17' })
  expect(await decide(request.requestId)).toEqual({ kind: 'settled', state: 'approved' })
  expect(await readCardStatus(desk, object.id)).toBe('locked')
  expect(desk.requests.get('/cards/lock')).toBe(1)
  const { rows = [], offers = [] } = (await viewOf(object, token)).requests ?? {}
  expect(rows[0]?.status.label).toBe('Approved and done')
  expect(offers.map(({ kind }) => kind)).toEqual(['replace', 'call-back'])

  const label = detail.approval.target.label ?? ''
  expect(await trailOf(request.requestId)).toEqual([
    ['approval.request', 'Kim Lee (Zendesk)', null, 'done', 'Kim Lee (Zendesk) requests it from ticket T-17.'],
    [
      'approval.approve',
      operator?.name,
      'operations',
      'done',
      `Locks the ${label}. Charges are declined until it’s unlocked. Kim Lee (Zendesk) requests it from ticket T-17. ` +
        `SHA-256 ${detail.request?.sha256 ?? ''}`,
    ],
    ['card.lock', 'Kim Lee (Zendesk)', null, 'done', 'Ticket T-17: Lost it'],
  ])
})

test('bytes that were changed while they waited are not approved', async () => {
  const { object, token } = await cardView()
  const request = lock()
  await ask(object, token, request)
  const { topic, fingerprint } = await approvalIn(desk, request.requestId)
  const other = await cardIn(desk, 'suspended')
  const [stored] = await desk.db.select().from(operations).where(eq(operations.id, request.requestId))
  await desk.db
    .update(operations)
    .set({ sealedBody: Buffer.concat([stored?.sealedBody ?? Buffer.alloc(0), Buffer.from(other.target.cardId)]) })
    .where(eq(operations.id, request.requestId))
  await desk.signIn('approver')
  const input = {
    environment,
    approvalId: request.requestId,
    topic,
    decision: 'approve',
    reason: '',
    fingerprint,
  } as const
  expect(await decideApproval(input)).toMatchObject({ outcome: { code: 'APPROVAL_MISMATCH' } })
  await decide(request.requestId, 'decline')
})

test('a declined request shows why, an expired one that nothing was done, and either can be made again', async () => {
  const { object, token } = await cardView()
  const [first, second] = [lock(), lock()]
  await ask(object, token, first)
  await desk.signIn('approver')
  await decide(first.requestId, 'decline')
  await desk.signIn(null)
  expect((await viewOf(object, token)).requests?.rows[0]).toMatchObject({
    status: { label: 'Declined' },
    detail: expect.stringContaining('No such call') as string,
  })
  expect(await ask(object, token, second)).toMatchObject({ status: 201 })
  await desk.db
    .update(approvals)
    .set({ expiresAt: new Date(0) })
    .where(eq(approvals.id, second.requestId))
  await expireApprovals()
  const { requests } = await viewOf(object, token)
  expect(requests?.rows.map(({ status }) => status.label)).toEqual(['Expired, nothing was done', 'Declined'])
  expect(requests?.offers.map(({ kind }) => kind)).toContain('lock')
  expect(await readCardStatus(desk, object.id)).toBe('active')
})

test('the frame’s poll tells of a request that was decided', async () => {
  const { object, token } = await cardView()
  const request = lock()
  await ask(object, token, request)
  const headers = { authorization: `Bearer ${token}`, 'x-carddesk-host': origin }
  const poll = (search: string) =>
    respondToViewRequest(
      new Request(`https://console.test/api/embed/view?${addressOf(object)}${search}`, { headers }),
      describeView,
    )
  await notificationsWritten()
  const { position, pulse } = (await (await poll('')).json()) as { position: number; pulse: string }
  const after = `&after=${position}&pulse=${pulse}`
  expect((await poll(after)).status).toBe(204)
  await desk.signIn('approver')
  await decide(request.requestId, 'decline')
  await notificationsWritten()
  expect((await poll(after)).status).toBe(200)
})

test('a policy may lock at once: the request is carried out without an approval', async () => {
  await setPolicy(desk, [], { helpDesk: { lock: 'immediate' } })
  const { object, token } = await cardView()
  const offered = (await viewOf(object, token)).requests?.offers[0]
  expect(offered).toMatchObject({ kind: 'lock', help: 'It happens at once.', submit: 'Lock card' })
  const request = lock()
  expect(await ask(object, token, request)).toMatchObject({ status: 201 })
  expect(await readCardStatus(desk, object.id)).toBe('locked')
  expect((await viewOf(object, token)).requests?.rows[0]?.status.label).toBe('Done')
  expect(await desk.db.select().from(approvals).where(eq(approvals.id, request.requestId))).toEqual([])
  expect(await trailOf(request.requestId)).toEqual([
    ['card.lock', 'Kim Lee (Zendesk)', null, 'done', 'Ticket T-17: Lost it'],
  ])
  await desk.signIn('operations')
  await runAction('card.unlock', { ...(await cardIn(desk, 'locked')).target, operationId: randomUUID() })
})

test('a lock that was not sent, because the service is away, says so and is offered again', async () => {
  await setPolicy(desk, [], { helpDesk: { lock: 'immediate' } })
  const { object, token } = await cardView()
  await viewOf(object, token)
  await desk.stopService()
  await ask(object, token, lock())
  await desk.startService()
  const { requests } = await viewOf(object, token)
  expect(requests?.rows[0]?.status).toEqual({ label: 'Not sent, nothing was done', tone: 'bad' })
  expect(requests?.offers.map(({ kind }) => kind)).toContain('lock')
  expect(await readCardStatus(desk, object.id)).toBe('active')
})

test('the same request is one, however often and at once it is sent; other content under its id is refused', async () => {
  const { object, token } = await cardView()
  const request = lock()
  const all = await Promise.all(Array.from({ length: 5 }, () => ask(object, token, request)))
  expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(await ask(object, token, { ...request, note: 'Stolen' })).toMatchObject({ code: 'OPERATION_MISMATCH' })
  expect(await ask(object, token, lock())).toMatchObject({ status: 403, code: 'REQUEST_NOT_ALLOWED' })
  await desk.signIn('approver')
  await decide(request.requestId)
  expect(await ask(object, token, request)).toMatchObject({ status: 201 })
  expect(desk.requests.get('/cards/lock')).toBe(1)
  await desk.signIn('operations')
  await runAction('card.unlock', { ...(await cardIn(desk, 'locked')).target, operationId: randomUUID() })
})

test('a call back is a hand-over that Operations finds among its work, and nothing to the card service', async () => {
  const [account] = await accountsIn(desk)
  const object = { type: 'card-account', id: account?.id ?? '' }
  const { token } = await tokenOf(object)
  expect((await viewOf(object, token)).requests?.offers).toMatchObject([{ kind: 'call-back', reasons: [] }])
  const requestId = randomUUID()
  desk.requests.clear()
  for (const _ of [1, 2]) {
    expect(await ask(object, token, { requestId, kind: 'call-back', note: 'After 18:00' })).toMatchObject({
      status: 201,
    })
  }
  expect(
    [...desk.requests.keys()].filter(
      (path) => !['/cards', '/cardaccounts', '/cardaccounts/transactions'].includes(path),
    ),
  ).toEqual([])
  expect(await ask(object, token, { requestId, kind: 'call-back', note: 'Now' })).toMatchObject({
    code: 'OPERATION_MISMATCH',
  })
  expect(await desk.db.select().from(notes).where(eq(notes.id, requestId))).toMatchObject([
    { text: 'Call the customer back, ticket T-17. After 18:00', staffRole: null, forRole: 'operations' },
  ])
  const state = async () => (await viewOf(object, token)).requests?.rows[0]?.status.label
  expect(await state()).toBe('Waits for Operations')
  await desk.signIn('operations')
  const { sections } = await readMyWork(environment)
  expect(sections.find(({ source }) => source === 'handovers')?.items).toMatchObject([
    {
      id: requestId,
      by: 'Kim Lee (Zendesk)',
      text: 'Call the customer back, ticket T-17. After 18:00',
      canBeTaken: true,
    },
  ])
  await takeHandover({ environment, noteId: requestId })
  expect(await state()).toBe('Taken by Operations')
  await finishHandover({ environment, noteId: requestId })
  expect(await state()).toBe('Finished by Operations')
})

test('of call backs that several agents request at one moment, one is made', async () => {
  const { object, token } = await cardView()
  const callBack = () => ({ requestId: randomUUID(), kind: 'call-back' })
  const all = await Promise.all(Array.from({ length: 8 }, () => ask(object, token, callBack())))
  expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(all.filter(({ code }) => code === 'REQUEST_NOT_ALLOWED')).toHaveLength(7)
})

test('a fee is waived from the view of its transaction, once it is approved', async () => {
  const [account] = await accountsIn(desk)
  const [fee] = await chargeFees(desk, account?.id ?? '', [25])
  const object = { type: 'transaction', id: fee?.transaction?.id ?? '', cardAccountId: account?.id ?? '' }
  const { token } = await tokenOf(object)
  const { requests } = await viewOf(object, token)
  expect(requests?.offers.map(({ kind }) => kind)).toEqual(['waive'])
  expect(requests?.offers[0]?.reasons.map(({ value }) => value)).toContain('goodwill')
  const requestId = randomUUID()
  const waive = { requestId, kind: 'waive', reason: 'goodwill', note: '' }
  expect(await ask(object, token, { ...waive, reason: null })).toMatchObject({ code: 'INVALID_PARAMETERS' })
  expect(await ask(object, token, waive)).toMatchObject({ status: 201 })
  await desk.signIn('approver')
  expect(await readApproval(environment, requestId)).toMatchObject({
    approval: {
      effect: 'Waives the fee Test fee · 25.00 ' + (account?.currency ?? '') + '. The balance changes at once.',
    },
    request: { path: '/fees/waive', body: JSON.stringify({ id: fee?.id }) },
  })
  await decide(requestId)
  expect((await feeIn(desk, fee?.id ?? ''))?.status).toBe('void')
  await desk.signIn(null)
  const after = (await viewOf(object, token)).requests
  expect(after).toMatchObject({ offers: [], rows: [{ status: { label: 'Approved and done' } }] })
})

test('a fee that a colleague waived before the approval is not waived again', async () => {
  const [account] = await accountsIn(desk)
  const [fee] = await chargeFees(desk, account?.id ?? '', [25])
  const object = { type: 'transaction', id: fee?.transaction?.id ?? '', cardAccountId: account?.id ?? '' }
  const { token } = await tokenOf(object)
  const requestId = randomUUID()
  expect(await ask(object, token, { requestId, kind: 'waive', reason: 'goodwill', note: '' })).toMatchObject({
    status: 201,
  })
  await desk.signIn('operations')
  await runAction('fee.waive', { environment, operationId: randomUUID(), feeId: fee?.id ?? '', reason: 'goodwill' })
  desk.requests.clear()
  await desk.signIn('approver')
  await decide(requestId)
  expect(desk.requests.get('/fees/waive')).toBeUndefined()
  const [row] = await desk.db.select().from(operations).where(eq(operations.id, requestId))
  expect(row).toMatchObject({ state: 'refused', code: 'CHANGED_MEANWHILE' })
})

test('a card is replaced once that is approved, with its own product and name', async () => {
  const { object, token } = await cardView('locked')
  const requestId = randomUUID()
  expect(await ask(object, token, { requestId, kind: 'replace', reason: null, note: 'Chip is damaged' })).toMatchObject(
    { status: 201 },
  )
  await desk.signIn('approver')
  const { card } = await cardIn(desk, 'locked')
  const { approval, request } = await readApproval(environment, requestId)
  expect(approval.effect).toMatch(/^Issues a new card in place of the card ending \d{4}, which stays as it is\.$/)
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ productId: card.productId, embossedName: card.embossedName })
  await decide(requestId)
  await desk.signIn(null)
  const { requests, facts } = await viewOf(object, token)
  expect(requests?.rows[0]?.status.label).toBe('Approved and done')
  expect(requests?.offers.map(({ kind }) => kind)).toEqual(['call-back'])
  expect(facts.map(({ label }) => label)).toContain('Replaced by')
  expect(desk.requests.get('/cards')).toBeGreaterThan(0)
})

test.each([
  ['no Origin', { origin: null }],
  ['the host’s Origin', { origin }],
  ['an Origin of null', { origin: 'null' }],
  ['an Origin that begins as the frame’s', { origin: 'http://127.0.0.1:30001' }],
  ['a form’s content type', { 'content-type': 'text/plain' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['the host’s own site', { 'sec-fetch-site': 'same-site' }],
  ['another host', { 'x-carddesk-host': 'https://other.example.com' }],
  ['no token', { authorization: null }],
])('a request with %s is refused', async (_, changed) => {
  const { object, token } = await cardView()
  expect(await ask(object, token, lock(), changed)).toMatchObject({ status: 403, code: 'EMBED_REFUSED' })
  expect(await desk.db.select().from(operations).where(eq(operations.targetId, object.id))).not.toContainEqual(
    expect.objectContaining({ state: 'waiting' }),
  )
})

test('a token without a ticket requests nothing, and staff’s own tokens name none', async () => {
  const { object } = await cardView()
  const { token } = await tokenOf(object, {})
  expect((await viewOf(object, token)).requests).toBeNull()
  expect(await ask(object, token, lock())).toMatchObject({ status: 403, code: 'REQUEST_NOT_ALLOWED' })
  const member = await desk.signIn('operations')
  await desk.signIn(null)
  const forged = await signEmbedToken(consoleSettings(), {
    object: { environment, type: 'card', id: object.id, cardAccountId: object.cardAccountId },
    origin,
    creator: { kind: 'staff', id: member?.id ?? '' },
    ticketOrigin: { agent, ticket: 'T-17' },
  })
  expect(await ask(object, forged, lock())).toMatchObject({ code: 'EMBED_REFUSED' })
})

test.each([
  ['an agent without a ticket', { agent }, 'ticket must be given together with agent'],
  ['a ticket without an agent', { ticket: 'T-17' }, 'ticket must be given together with agent'],
  ['an agent without an address', { agent: { name: 'Kim' }, ticket: 'T-17' }, 'agent.email must be text'],
  ['a card number as a ticket', { agent, ticket: '4111 1111 1111 1111' }, 'ticket must not hold a card number'],
  ['a card number as an id', { id: '4111 1111 1111 1111' }, 'id must not hold a card number'],
  [
    'a card number as a card account',
    { cardAccountId: '4111111111111111' },
    'cardAccountId must not hold a card number',
  ],
])('a token for %s is refused by field', async (_, fields, message) => {
  const { object } = await cardView()
  expect(await tokenOf(object, fields)).toMatchObject({ status: 400, message })
})

test('a view requests what it offers and nothing else', async () => {
  const { object, token } = await cardView()
  const account = { type: 'card-account', id: object.cardAccountId }
  const { token: ofAccount } = await tokenOf(account)
  const other = await cardIn(desk, 'suspended')
  const request = (kind: string, more: object = {}) => ({ requestId: randomUUID(), kind, note: '', ...more })
  const notAllowed = { status: 403, code: 'REQUEST_NOT_ALLOWED' }
  const invalid = { status: 400, code: 'INVALID_PARAMETERS' }
  expect(await ask(account, ofAccount, request('lock'))).toMatchObject(notAllowed)
  expect(await ask(object, token, request('waive', { reason: 'goodwill' }))).toMatchObject(notAllowed)
  for (const kind of ['cancel', 'card.lock', 'constructor', 'unlock']) {
    expect(await ask(object, token, request(kind))).toMatchObject(invalid)
  }
  for (const field of ['feeId', 'cardId', 'cardAccountId', 'environment', 'operationId', 'lockNow']) {
    expect(await ask(object, token, request('lock', { [field]: other.target.cardId }))).toMatchObject(invalid)
  }
  expect(await ask(object, token, '{')).toMatchObject(invalid)
  expect(await ask(object, token, request('lock', { reason: 'other' }))).toMatchObject(invalid)
  expect(await ask(object, token, request('lock', { note: 'It is 4111 1111 1111 1111' }))).toMatchObject(invalid)
  const foreign = { type: 'card', id: other.target.cardId, cardAccountId: other.target.cardAccountId }
  expect(await ask(foreign, token, lock())).toMatchObject({ code: 'EMBED_REFUSED' })
  const locked = await cardView('suspended')
  expect(await ask(locked.object, locked.token, lock())).toMatchObject(notAllowed)
})

test('the id of a request that was made opens no request of another kind', async () => {
  const { object, token } = await cardView()
  const notAllowed = { status: 403, code: 'REQUEST_NOT_ALLOWED' }
  await setPolicy(desk, [], { helpDesk: { 'call-back': 'hand-over' } })
  const requestId = randomUUID()
  const callBack = { requestId, kind: 'call-back', note: 'After 18:00' }
  expect(await ask(object, token, callBack)).toMatchObject({ status: 201 })
  expect(await ask(object, token, lock(requestId))).toMatchObject(notAllowed)
  await setPolicy(desk, [], { helpDesk: { lock: 'approval' } })
  const locking = lock()
  expect(await ask(object, token, locking)).toMatchObject({ status: 201 })
  expect(await ask(object, token, { ...callBack, requestId: locking.requestId })).toMatchObject(notAllowed)
})

test('nobody decides on what they requested as an agent, and Operations on nothing but requests of help desks', async () => {
  const { object, token } = await cardView()
  const checker = await addStaff(desk, 'approver', 'kim.lee@HELP.example.com')
  const request = lock()
  await ask(object, token, request)
  await desk.signInAs(checker)
  const waitingForChecker = async () =>
    (await readMyWork(environment)).sections.find(({ source }) => source === 'approvals')?.items
  expect(await waitingForChecker()).toEqual([])
  expect(await readApproval(environment, request.requestId)).toMatchObject({ isOwn: false, isMaker: true })
  expect(await decide(request.requestId)).toMatchObject({ outcome: { code: 'SELF_APPROVAL' } })
  await desk.db.update(staff).set({ email: 'other@desk.example.com' }).where(eq(staff.id, checker))
  expect(await waitingForChecker()).toMatchObject([{ id: request.requestId }])
  expect(await readApproval(environment, request.requestId)).toMatchObject({ isMaker: false })
  await desk.db.update(staff).set({ role: 'viewer' }).where(eq(staff.id, checker))
  await desk.signIn('support')
  expect(await decide(request.requestId)).toMatchObject({ outcome: { code: 'NOT_PERMITTED' } })
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }], { helpDesk: everything })
  const second = await addStaff(desk, 'operations', 'second@desk.example.com')
  const { target, last4 } = await cardIn(desk, 'pending-activation')
  await desk.signInAs(second)
  const operationId = randomUUID()
  await runAction('card.cancel', { ...target, operationId, confirmLast4: last4 ?? '', reason: 'lost-or-stolen' })
  await desk.signIn('operations')
  expect(await decide(operationId)).toMatchObject({ outcome: { code: 'NOT_PERMITTED' } })
  const waiting = (await readMyWork(environment)).sections.find(({ source }) => source === 'approvals')
  expect(waiting?.items.map(({ id }) => id)).toEqual([request.requestId])
  expect(await decide(request.requestId, 'decline')).toMatchObject({ state: 'declined' })
})

test('a request whose key was revoked, or that the policy no longer allows, can only be declined', async () => {
  const { object, token } = await cardView()
  const request = lock()
  await ask(object, token, request)
  await setPolicy(desk, [], { helpDesk: { 'call-back': 'hand-over' } })
  await desk.signIn('approver')
  expect(await decide(request.requestId)).toMatchObject({ outcome: { code: 'MAKER_NOT_PERMITTED' } })
  await setPolicy(desk, [], { helpDesk: everything })
  await desk.signIn('admin')
  await revokeEmbedKey({ environment, keyId: key.id })
  expect(await ask(object, token, lock())).toMatchObject({ code: 'EMBED_REFUSED' })
  await desk.signIn('approver')
  expect(await decide(request.requestId)).toMatchObject({ outcome: { code: 'MAKER_NOT_PERMITTED' } })
  expect(await decide(request.requestId, 'decline')).toMatchObject({ state: 'declined' })
  expect(await readCardStatus(desk, object.id)).toBe('active')
})

test('one agent sends twenty requests a minute', async () => {
  const { object, token } = await cardView()
  const sent = await Promise.all(Array.from({ length: 21 }, () => ask(object, token, '{')))
  expect(sent.filter(({ code }) => code === 'TOO_MANY_ATTEMPTS')).toHaveLength(1)
})

test('a view of a key without the link leads nowhere', async () => {
  const { object, token } = await cardView()
  expect((await viewOf(object, token)).href).toContain('/sandbox/card-accounts/')
  await desk.db.update(embedKeys).set({ hasLink: false }).where(eq(embedKeys.id, key.id))
  expect((await viewOf(object, token)).href).toBeNull()
})

test('the texts of requests are in the agent’s language', async () => {
  const { object, token } = await cardView()
  await ask(object, token, lock())
  const { requests } = await viewOf(object, token, '&lang=zh-HK')
  expect(requests).toMatchObject({
    offers: [{ label: '補發卡' }, { label: '回電' }],
    rows: [{ title: '鎖卡', status: { label: '待批核' } }],
  })
})
