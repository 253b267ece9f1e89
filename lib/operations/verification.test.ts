import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { verifyAuditChain } from '#lib/audit/chain.ts'
import { readReference } from '#lib/console/references/detail.ts'
import { creditAccounts } from '#lib/console/testing/bulk.ts'
import { cardIn, readCardStatus } from '#lib/console/testing/cards.ts'
import { accountsIn, chargeFees, feeIn } from '#lib/console/testing/fees.ts'
import { individual } from '#lib/console/testing/individual.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { payoutsMade, philippines, quoted, makeSubmission } from '#lib/console/testing/payouts.ts'
import { readHealth } from '#lib/environments/health.ts'
import { webhooks } from '#lib/service/tables/webhooks.ts'
import { operations } from '#lib/tables/operations.ts'
import { staff } from '#lib/tables/staff.ts'

const desk = shareConsole()

function json(status: number, body: unknown): Response {
  return Response.json(body, { status })
}

/** The service does its work, and something else goes over the wire in place of its response. */
function respondInstead(path: string, respond: () => Response): void {
  desk.intercept.after = (request) => (request.url?.includes(path) ? respond() : null)
}

/** The service does nothing, and this goes over the wire. */
function respondOnly(path: string, respond: () => Response | null): void {
  desk.intercept.before = async (request, response) => {
    if (!request.url?.endsWith(path)) return false
    const given = respond()
    if (!given) return false
    response.writeHead(given.status, Object.fromEntries(given.headers))
    response.end(await given.text())
    return true
  }
}

const accepted: [string, () => Response][] = [
  ['204', () => new Response(null, { status: 204 })],
  ['an empty 200', () => new Response('')],
  ['202 with other JSON', () => json(202, { ok: true })],
  ['a card of nulls', () => json(200, { id: null, status: null })],
  ['an HTML page', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
]

test.each(accepted)('a lock that took effect is done, although the response is %s', async (_, respond) => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  respondInstead('/cards/lock', respond)
  const result = await runAction('card.lock', { ...target, operationId: randomUUID() })
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } }, record: { status: 'locked' } })
})

test('a lock that the record shows only a moment later is done', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const stale = await desk.service.call('listCards', { query: target })
  let reads: number | null = null
  desk.intercept.after = ({ url }) => {
    if (url?.endsWith('/cards/lock')) reads = 0
    if (reads === null || !url?.includes('/cards?')) return null
    return (reads += 1) <= 4 ? Response.json(stale.json) : null
  }
  const result = await runAction('card.lock', { ...target, operationId: randomUUID() })
  expect(reads).toBe(5)
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } }, record: { status: 'locked' } })
})

test.each(accepted)('a lock without effect is not done, although the response is %s', async (_, respond) => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  respondOnly('/cards/lock', respond)
  const result = await runAction('card.lock', { ...target, operationId: randomUUID() })
  expect(result).toMatchObject({
    operation: {
      outcome: { state: 'unknown', code: 'NOT_CONFIRMED', finding: { text: expect.stringContaining('is active') } },
    },
    record: { status: 'active' },
  })
})

test('a lock whose responses all break off after a 200 is not called refused', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/cards/lock')) return false
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    response.write('{', () => response.destroy())
    return true
  }
  const result = await runAction('card.lock', { ...target, operationId: randomUUID() })
  expect(result).toMatchObject({
    operation: { outcome: { state: 'unknown', code: 'CONNECTION_LOST' } },
    record: { status: 'active' },
  })
})

test('a 404 of a second attempt, after one whose response was lost, says nothing of the endpoint', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  let count = 0
  respondInstead('/cards/lock', () => json((count += 1) === 1 ? 502 : 404, { message: 'gone' }))
  const result = await runAction('card.lock', { ...target, operationId: randomUUID() })
  expect(count).toBe(2)
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect(await readHealth('sandbox')).toMatchObject({ endpoints: [] })
})

test('a 400 of a second attempt, after one whose response was lost, is done where the card shows it', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  let attempts = 0
  desk.intercept.before = (request) => {
    // A service that ignores keys, and whose first response is lost.
    delete request.headers['idempotency-key']
    return false
  }
  desk.intercept.after = (request) => {
    if (!request.url?.endsWith('/cards/lock')) return null
    attempts += 1
    return attempts === 1 ? json(502, {}) : null
  }
  const result = await runAction('card.lock', { ...target, operationId: randomUUID() })
  expect(attempts).toBe(2)
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } }, record: { status: 'locked' } })
})

test('a 400 of a second attempt is refused where the card shows that the lost one had no effect', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  let attempts = 0
  respondOnly('/cards/suspend', () => {
    attempts += 1
    return attempts === 1 ? json(502, {}) : json(400, { statusCode: 400, code: 'INACTIVE_CARD', message: 'no' })
  })
  const result = await runAction('card.suspend', { ...target, operationId: randomUUID(), reason: 'suspected-fraud' })
  expect(result).toMatchObject({ operation: { outcome: { state: 'refused', code: 'INACTIVE_CARD', changed: 'no' } } })
  expect(await readCardStatus(desk, target.cardId)).toBe('active')
})

test.each([
  ['success: false', { success: false, error: 'locked before' }],
  ['a known code', { code: 'CARD_ALREADY_LOCKED', message: 'locked before' }],
])('a 200 with %s of a second attempt is done where the card shows the effect of the lost one', async (_, body) => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  let attempts = 0
  desk.intercept.after = (request) => {
    if (!request.url?.endsWith('/cards/lock')) return null
    attempts += 1
    return attempts === 1 ? json(502, {}) : json(200, body)
  }
  const result = await runAction('card.lock', { ...target, operationId: randomUUID() })
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } }, record: { status: 'locked' } })
})

test('a 200 with a known code is refused', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  respondOnly('/cards/change-pin', () => json(200, { code: 'INACTIVE_CARD', message: 'no' }))
  const ids = { ...target, reason: 'cardholder-request' as const, operationId: randomUUID() }
  const result = await runAction('card.change-pin', { ...ids, pin: '483920' })
  expect(result).toMatchObject({ operation: { outcome: { state: 'refused', code: 'INACTIVE_CARD', changed: 'no' } } })
})

test('a PIN, which nothing shows, is changed after any 2xx but a page or an error', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  respondInstead('/cards/change-pin', () => new Response(null, { status: 204 }))
  const first = await runAction('card.change-pin', {
    ...target,
    reason: 'cardholder-request',
    operationId: randomUUID(),
    pin: '483920',
  })
  expect(first).toMatchObject({ operation: { outcome: { state: 'done' } } })
  respondInstead('/cards/change-pin', () => new Response('<html>Sign in</html>'))
  const second = await runAction('card.change-pin', {
    ...target,
    reason: 'cardholder-request',
    operationId: randomUUID(),
    pin: '483920',
  })
  expect(second).toMatchObject({ operation: { outcome: { state: 'unknown', code: 'NOT_CONFIRMED' } } })
  for (const body of [
    { statusCode: 500, message: 'Internal server error' },
    { code: 'UNHEARD_OF', message: 'no' },
    { error: 'no' },
  ]) {
    respondInstead('/cards/change-pin', () => json(200, body))
    const ids = { ...target, reason: 'cardholder-request' as const, operationId: randomUUID() }
    const third = await runAction('card.change-pin', { ...ids, pin: '483920' })
    expect(third).toMatchObject({ operation: { outcome: { state: 'unknown', code: 'NOT_CONFIRMED' } } })
  }
})

test('a record that cannot be read is no finding about what was sent', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  let isSent = false
  desk.intercept.after = ({ url }) => {
    isSent ||= url?.endsWith('/cards/lock') ?? false
    return isSent ? json(500, { message: 'The card service is away, so nothing was sent.' }) : null
  }
  expect(await runAction('card.lock', { ...target, operationId: randomUUID() })).toMatchObject({
    operation: { outcome: { state: 'unknown', finding: { text: 'The card could not be read.' } } },
  })
})

test('a second attempt that is refused because the first one was done is not refused where the record is late', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  let count = 0
  const stale = await desk.service.call('listCards', { query: target })
  desk.intercept.after = ({ url }) => {
    if (url?.endsWith('/cards/lock')) return (count += 1) === 1 ? json(502, {}) : null
    return url?.includes('/cards?') && count > 0 ? Response.json(stale.json) : null
  }
  const input = { ...target, operationId: randomUUID() }
  await desk.service.control('POST', '/modes', { ignoreIdempotencyKeys: true })
  const locked = { operation: { outcome: { state: 'unknown', code: 'CARD_ALREADY_LOCKED' } } }
  expect(await runAction('card.lock', input)).toMatchObject(locked)
  expect(await runAction('card.lock', input)).toMatchObject(locked)
  expect(count).toBe(2)
  delete desk.intercept.after
  expect(await runAction('card.lock', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
  await desk.service.control('DELETE', '/modes')
})

test('a waiver that was accepted is not done while the fee is still posted', async () => {
  await desk.signIn('operations')
  const [account] = await accountsIn(desk)
  const [fee] = account ? await chargeFees(desk, account.id, [12]) : []
  if (!fee) throw new Error('no fee was charged')
  respondOnly('/fees/waive', () => json(200, { ...fee, status: 'posted' }))
  const result = await runAction('fee.waive', {
    environment: 'sandbox',
    operationId: randomUUID(),
    feeId: fee.id,
    reason: 'goodwill',
  })
  expect(result).toMatchObject({
    operation: { outcome: { state: 'unknown', finding: { text: expect.stringContaining('still posted') } } },
    record: { fee: { status: 'posted' } },
  })
  expect(await feeIn(desk, fee.id)).toMatchObject({ status: 'posted' })
})

test('a limit that the service refuses with 200 and success: false is refused, with its reason', async () => {
  await desk.signIn('operations')
  const [account] = await creditAccounts(desk)
  if (!account) throw new Error('the seed has no credit account')
  const error = 'Limit above the program’s maximum'
  respondOnly('/cardaccounts/fixed-limit', () => json(200, { cardAccountId: account.id, success: false, error }))
  const result = await runAction('account.set-limit', {
    environment: 'sandbox',
    operationId: randomUUID(),
    cardAccountId: account.id,
    limit: '123',
    limitBefore: Number(account.limit),
    reason: 'credit-review',
  })
  expect(result).toMatchObject({
    operation: { outcome: { state: 'refused', changed: 'no', happened: expect.stringContaining(error) } },
  })
})

test('a limit of an account with a name that cannot be stored is settled, also by a reason that cannot be', async () => {
  await desk.signIn('operations')
  const [account] = await creditAccounts(desk)
  if (!account) throw new Error('the seed has no credit account')
  desk.intercept.after = (request) => {
    if (!request.url?.includes('/cardaccounts?')) return null
    return json(200, { cardaccounts: [{ ...account, name: 'Acme \ud83d\0' }], nextPageToken: null })
  }
  // The 300th unit of the message is the first half of a character.
  const message = `${'m'.repeat(299)}💳\0`
  respondOnly('/cardaccounts/fixed-limit', () => json(422, { code: 'STRANGE\0', message: `\0${message}` }))
  const operationId = randomUUID()
  const result = await runAction('account.set-limit', {
    environment: 'sandbox',
    operationId,
    cardAccountId: account.id,
    limit: '123',
    limitBefore: Number(account.limit),
    reason: 'credit-review',
  })
  expect(result).toMatchObject({ operation: { outcome: { state: 'refused', code: 'STRANGE\ufffd' } } })
  const [row] = await desk.db.select().from(operations).where(eq(operations.id, operationId))
  expect(row).toMatchObject({ targetLabel: 'Acme \ufffd\ufffd', settledAt: expect.any(Date) })
  expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true })
})

test('references of which only one was set are partly done', async () => {
  await desk.signIn('operations')
  const [account] = await creditAccounts(desk)
  if (!account) throw new Error('the seed has no credit account')
  const { revision } = await readReference('sandbox', 'cardaccount', account.id)
  const xid = `xid-${randomUUID()}`
  desk.intercept.after = (request) => {
    if (!request.url?.includes('/cardaccounts?')) return null
    return json(200, { cardaccounts: [{ ...account, xid, xmetadata: { region: 'HK' } }], nextPageToken: null })
  }
  respondOnly('/xmetadata/set', () => json(200, {}))
  const result = await runAction('reference.set', {
    environment: 'sandbox',
    operationId: randomUUID(),
    targetType: 'cardaccount',
    targetId: account.id,
    xid: { mode: 'replace', text: xid },
    xmetadata: { mode: 'replace', text: '{"region":"SG"}' },
    revision: await revisionNow(account.id, revision),
  })
  expect(result).toMatchObject({
    operation: { outcome: { state: 'partial', happened: expect.stringContaining('metadata was not changed') } },
  })
})

test('a payout that the response names and the service does not list is not done', async () => {
  await desk.signIn('operations')
  const quote = await quoted(philippines)
  respondOnly('/payouts', () => json(200, { id: randomUUID(), status: 'requested' }))
  const result = await runAction('payout.submit', makeSubmission(quote, philippines))
  expect(result).toMatchObject({ operation: { outcome: { state: 'unknown', code: 'NOT_CONFIRMED' } } })
  expect(await payoutsMade(desk, quote.id)).toEqual([])
})

test('a person whose role ends while the card service is read has nothing sent', async () => {
  const person = await desk.signIn('operations')
  const own = eq(staff.id, person?.id ?? '')
  onTestFinished(async () => void (await desk.db.update(staff).set({ role: 'operations' }).where(own)))
  const [account] = await accountsIn(desk)
  const [fee] = account ? await chargeFees(desk, account.id, [12]) : []
  if (!fee) throw new Error('no fee was charged')
  let sent = 0
  desk.intercept.before = async ({ method, url }) => {
    if (url?.endsWith('/fees/waive')) sent += 1
    else if (method === 'GET' && url?.includes('/fees')) await desk.db.update(staff).set({ role: 'viewer' }).where(own)
    return false
  }
  const operationId = randomUUID()
  const result = await runAction('fee.waive', {
    environment: 'sandbox',
    operationId,
    feeId: fee.id,
    reason: 'goodwill',
  })
  expect(result).toMatchObject({
    operation: {
      outcome: {
        state: 'refused',
        code: 'MAKER_NOT_PERMITTED',
        changed: 'no',
        happened: expect.stringContaining('may not do this any more'),
      },
    },
  })
  expect(sent).toBe(0)
})

test.each([
  ['that no payout has', async () => randomUUID()],
  ['of an earlier payout to somebody else', earlierPayoutId],
])('a payout whose response has the ID %s is found in the list, once', async (_title, wrongId) => {
  await desk.signIn('operations')
  const id = await wrongId()
  const quote = await quoted(philippines)
  desk.intercept.after = ({ method, url }) =>
    method === 'POST' && url?.endsWith('/payouts') ? json(202, { id, status: 'requested' }) : null
  const result = await runAction('payout.submit', makeSubmission(quote, philippines))
  const [made, ...others] = await payoutsMade(desk, quote.id)
  expect(others).toEqual([])
  expect(result).toMatchObject({
    operation: { outcome: { state: 'done' }, resultId: made?.id },
    record: { id: made?.id },
  })
})

/** The id of a payout that Carddesk did not make. */
async function earlierPayoutId(): Promise<string> {
  const { json: body } = await desk.service.call('listPayouts', {})
  const { payouts } = body as { payouts: { id: string; destination: { accountNumber: string } }[] }
  const other = payouts.find(({ destination }) => !destination.accountNumber.endsWith('6789'))
  if (!other) throw new Error('the seed has no such payout')
  return other.id
}

async function revisionNow(id: string, fallback: string): Promise<string> {
  return (await readReference('sandbox', 'cardaccount', id)).revision ?? fallback
}

test.each([
  ['as sent', `https://hooks.example/${randomUUID()}`],
  ['in its normal form', `https://${randomUUID().toUpperCase()}.Example`],
])('a webhook whose response was lost is found by its URL %s, and created once', async (_, url) => {
  await desk.signIn('operations')
  desk.intercept.before = async ({ method }) => {
    const { db } = desk.service.service
    if (method === 'GET')
      await db
        .update(webhooks)
        .set({ url: new URL(url).href })
        .where(eq(webhooks.url, url))
    return false
  }
  desk.intercept.after = (request) =>
    request.url?.endsWith('/webhooks') && request.method === 'POST' ? json(502, {}) : null
  const input = { environment: 'sandbox', operationId: randomUUID(), url, events: ['*'], name: '' } as const
  const result = await runAction('webhook.create', { ...input, events: [...input.events] })
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' }, resultId: expect.any(String) } })
  expect(desk.requests.get('/webhooks')).toBeGreaterThan(0)
})

async function rejectedAccount(): Promise<{ environment: 'sandbox'; cardAccountId: string }> {
  const [account] = await creditAccounts(desk)
  if (!account) throw new Error('the seed has no credit account')
  const target = { environment: 'sandbox', cardAccountId: account.id } as const
  const rejectedReason = 'Invalid ID (expired doc)'
  const result = await runAction('identity.simulate', {
    ...target,
    operationId: randomUUID(),
    decision: 'reject',
    rejectedReason,
  })
  expect(result).toMatchObject({
    operation: { outcome: { state: 'done' } },
    record: { status: 'rejected', rejectedReason },
  })
  return target
}

test.each(accepted)('a resubmission that took effect is done, although the response is %s', async (_, respond) => {
  await desk.signIn('operations')
  const target = await rejectedAccount()
  desk.intercept.after = (request) =>
    request.method === 'POST' && request.url?.endsWith('/cardaccounts/client-identity') ? respond() : null
  const result = await runAction('identity.resubmit', { ...target, operationId: randomUUID(), individual })
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } }, record: { status: 'pending' } })
})

test('a resubmission without effect is not done while the identity is rejected', async () => {
  await desk.signIn('operations')
  const target = await rejectedAccount()
  respondOnly('/cardaccounts/client-identity', () => json(200, { status: 'pending' }))
  const result = await runAction('identity.resubmit', { ...target, operationId: randomUUID(), individual })
  expect(result).toMatchObject({
    operation: {
      outcome: { state: 'unknown', code: 'NOT_CONFIRMED', finding: { text: expect.stringContaining('is rejected') } },
    },
    record: { status: 'rejected' },
  })
})

test('a resubmission is sent once under one operation, and not at all for another status', async () => {
  await desk.signIn('operations')
  const target = await rejectedAccount()
  const input = { ...target, operationId: randomUUID(), individual }
  const again = await Promise.all([runAction('identity.resubmit', input), runAction('identity.resubmit', input)])
  expect(again).toMatchObject([{ operation: { id: input.operationId } }, { operation: { id: input.operationId } }])
  expect(await runAction('identity.resubmit', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect(await runAction('identity.resubmit', { ...input, operationId: randomUUID() })).toMatchObject({
    kind: 'invalid',
    fields: { status: expect.stringContaining('is pending') },
  })
})

test('a resubmission without a mandatory field or a needed document is not sent', async () => {
  await desk.signIn('operations')
  const target = await rejectedAccount()
  const resubmit = (change: object) =>
    runAction('identity.resubmit', { ...target, operationId: randomUUID(), individual: { ...individual, ...change } })
  expect(await resubmit({ firstName: '', nationality: 'SG' })).toMatchObject({
    kind: 'invalid',
    fields: {
      'individual.firstName': expect.any(String),
      'individual.supportingDocuments': 'is required when nationality is not HK',
    },
  })
  const file = `data:image/png;base64,${'A'.repeat(960_000)}`
  expect(await resubmit({ supportingDocuments: [{ documentType: 'PASSPORT', file }] })).toMatchObject({
    kind: 'invalid',
    fields: { 'individual.supportingDocuments': expect.stringContaining('700 KB') },
  })
})

test('a simulated approval is done once the identity is approved', async () => {
  await desk.signIn('qa')
  const target = await rejectedAccount()
  const result = await runAction('identity.simulate', { ...target, operationId: randomUUID(), decision: 'approve' })
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } }, record: { status: 'approved' } })
})
