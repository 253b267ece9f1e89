import { hkdfSync, randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeView } from '#components/embed/describe-view.ts'
import type { EmbedObject, EmbedView } from '#lib/api/embed-view.ts'
import { notificationsWritten, publish } from '#lib/live/publish.ts'
import { closeLive, hub } from '#lib/live/stream.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { embedKeys } from '#lib/tables/embed.ts'
import { staff } from '#lib/tables/staff.ts'
import { reads } from '../reads.ts'
import { captureLog } from '../testing/capture-log.ts'
import { setCookie } from '../testing/next-headers.ts'
import { shareConsole } from '../testing/open-console.ts'
import { stubResponses } from '../testing/stub-responses.ts'
import { respondToTokenRequest, createEmbedToken } from './create-token.ts'
import { embedLimits, requireLimit } from './http.ts'
import { createEmbedKey, revokeEmbedKey } from './keys.ts'
import { hasNews } from './news.ts'
import { readRecords } from './read-records.ts'
import { signEmbedToken, verifyEmbedToken, type EmbedClaims } from './token.ts'
import { respondToViewRequest } from './view.ts'

const { readPayout, readEmbedSettings } = reads

const desk = shareConsole({ seeded: 12 })
const origin = 'https://help.example.com'

/** An account with cards and transactions, and one of its cards. */
async function findObjects() {
  const { db } = desk.service.service
  const { rows } = await db.execute<{ account: string; card: string; transaction: string }>(`
    select a.id as account, c.id as card, t.id as transaction from service.card_accounts a
    join service.cards c on c.card_account_id = a.id join service.card_account_transactions t on t.card_id = c.id
    order by a.id, c.id, t.id limit 1`)
  const payouts = await db.execute<{ id: string }>('select id from service.payouts order by id limit 1')
  const [found] = rows
  if (!found || !payouts.rows[0]) throw new Error('the seed has too little')
  return { ...found, payout: payouts.rows[0].id }
}

async function objectOf(type: EmbedObject['type']): Promise<EmbedObject> {
  const { account, card, transaction, payout } = await findObjects()
  const id = { customer: account, 'card-account': account, card, transaction, payout }[type]
  const cardAccountId = type === 'card' || type === 'transaction' ? account : null
  return { environment: 'sandbox', type, id, cardAccountId }
}

async function claimsOf(type: EmbedObject['type'] = 'card'): Promise<EmbedClaims> {
  const member = await desk.signIn('support')
  await desk.signIn(null)
  return { object: await objectOf(type), origin, creator: { kind: 'staff', id: member?.id ?? '' } }
}

const signed = (claims: EmbedClaims, now?: Date) => signEmbedToken(consoleSettings(), claims, now)

function read(
  object: EmbedObject,
  token: string,
  headers: Record<string, string> = {},
  search = '',
): Promise<Response> {
  const { environment, type, id } = object
  const url = `https://console.test/api/embed/view?${new URLSearchParams({ environment, type, id })}${search}`
  const sent = { authorization: `Bearer ${token}`, 'x-carddesk-host': origin, ...headers }
  return respondToViewRequest(new Request(url, { headers: sent }), describeView)
}

type Shown = { view: EmbedView; position: number; pulse: string; expiresInMs: number }

async function viewOf(response: Response): Promise<Shown> {
  expect(response.status).toBe(200)
  return (await response.json()) as Shown
}

const refused = { code: 'EMBED_REFUSED', message: 'The token is missing, expired or revoked, or for something else.' }

const nowSeconds = () => Math.floor(Date.now() / secondMs)

/** Reads with a token that differs from one of this console in what is given alone. */
async function signedRight(claims: EmbedClaims, { header = {}, payload = {} }: { header?: object; payload?: object }) {
  const token = await signed(claims)
  const key = Buffer.from(hkdfSync('sha256', consoleSettings().sealingKey, '', 'carddesk embed token', 32))
  const altered = new SignJWT({ ...decodeJwt(token), ...payload })
    .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'HS256', ...header })
    .sign(key)
  return read(claims.object, await altered)
}

test('a token that only this test signed again opens the view', async () => {
  await viewOf(await signedRight(await claimsOf(), {}))
})

/** Every way to read what a token is not for. Each gets the same response, which says nothing of the reason. */
const attacks: Record<string, (claims: EmbedClaims) => Promise<Response>> = {
  'no token': ({ object }) => read(object, '', { authorization: '' }),
  'a token of another form': ({ object }) => read(object, 'nonsense'),
  'a token without a signature': ({ object, ...claims }) =>
    read(object, new UnsecuredJWT({ object, ...claims }).setExpirationTime('10m').encode()),
  'a token signed with another key': async (claims) =>
    read(claims.object, await signEmbedToken({ ...consoleSettings(), sealingKey: Buffer.alloc(32, 9) }, claims)),
  'a token of another console': async (claims) =>
    read(claims.object, await signEmbedToken({ ...consoleSettings(), consoleUrl: 'https://other.test' }, claims)),
  'a token whose payload was changed': async (claims) => {
    const [head, payload = '', signature] = (await signed(claims)).split('.')
    const changed = Buffer.from(payload, 'base64url').toString().replace(claims.object.id, randomUUID())
    return read(claims.object, [head, Buffer.from(changed).toString('base64url'), signature].join('.'))
  },
  'a JWT of another type': (claims) => signedRight(claims, { header: { typ: 'JWT' } }),
  'a JWT of another audience': (claims) => signedRight(claims, { payload: { aud: 'another audience' } }),
  'a JWT that does not say when it was made': (claims) => signedRight(claims, { payload: { iat: undefined } }),
  'a JWT for a year that was made long ago': (claims) =>
    signedRight(claims, { payload: { iat: nowSeconds() - 660, exp: nowSeconds() + 31_536_000 } }),
  'an expired token': async (claims) =>
    read(claims.object, await signed(claims, new Date(Date.now() - 10 * minuteMs - 1000))),
  'a token of the future': async (claims) => {
    const token = await signed(claims, new Date(Date.now() + 5 * minuteMs))
    return read(claims.object, token)
  },
  'a token for another object': async (claims) => read({ ...claims.object, id: randomUUID() }, await signed(claims)),
  'a token for another type': async (claims) => read({ ...claims.object, type: 'payout' }, await signed(claims)),
  'a token for another environment': async (claims) =>
    read({ ...claims.object, environment: 'production' }, await signed(claims)),
  'a token for another origin': async (claims) =>
    read(claims.object, await signed({ ...claims, origin: 'https://other.example.com' })),
  'a host of another origin': async (claims) =>
    read(claims.object, await signed(claims), { 'x-carddesk-host': 'https://other.example.com' }),
  'no host': async (claims) => read(claims.object, await signed(claims), { 'x-carddesk-host': '' }),
  'a request from another site': async (claims) =>
    read(claims.object, await signed(claims), { 'sec-fetch-site': 'cross-site' }),
  'an origin that is no longer allowed': async (claims) => {
    consoleSettings().embedOrigins = ['https://other.example.com']
    return read(claims.object, await signed(claims))
  },
  'staff who may not create tokens': async (claims) => {
    const viewer = await desk.signIn('viewer')
    await desk.signIn(null)
    return read(claims.object, await signed({ ...claims, creator: { kind: 'staff', id: viewer?.id ?? '' } }))
  },
  'a key that nobody created': async (claims) =>
    read(claims.object, await signed({ ...claims, creator: { kind: 'key', id: randomUUID() } })),
  'a session without a token': async ({ object }) => {
    await desk.signIn('operations')
    return read(object, '', { authorization: '' })
  },
}

test.each(Object.entries(attacks))('an embedded view is not shown for %s', async (_, attack) => {
  const claims = await claimsOf()
  await viewOf(await read(claims.object, await signed(claims)))
  const response = await attack(claims)
  expect(response.status).toBe(403)
  expect(await response.json()).toEqual({ ...refused, requestId: expect.any(String) as string })
})

test.each([
  ['a card of another account', () => ({ cardAccountId: randomUUID() })],
  ['an object that there is not', () => ({ id: randomUUID() })],
  ['an id of another form', () => ({ id: 'nonsense' })],
])('a token for %s says that there is none', async (_, other) => {
  const claims = await claimsOf()
  const object = { ...claims.object, ...other() }
  const response = await read(object, await signed({ ...claims, object }))
  expect(response.status).toBe(404)
  expect(Object.keys((await response.json()) as object)).toEqual(['code', 'message', 'requestId'])
})

test.each(['card-account', 'card', 'transaction', 'payout'] as const)(
  'a token shows its own %s, masked as for a viewer',
  async (type) => {
    const claims = await claimsOf(type)
    const { view, expiresInMs } = await viewOf(await read(claims.object, await signed(claims)))
    expect(view).toMatchObject({ environment: 'sandbox', type, status: { label: expect.any(String) as string } })
    expect(view.href).toContain(claims.object.id)
    expect(expiresInMs).toBeGreaterThan(9 * minuteMs)
    const text = JSON.stringify(view)
    expect(text).not.toMatch(/\+\d{8,}|[\w.]+@[\w.]+/)
    if (type !== 'payout') return
    await desk.signIn('operations')
    const { payout } = await readPayout('sandbox', claims.object.id)
    const number = payout.destination.accountNumber ?? ''
    if (number.length > 4) expect(text).not.toContain(number)
  },
)

/** The texts of a view that are Carddesk's own: labels, headings, statuses and explanations. */
function ownTexts({ kind, status, notes, figures, facts, lists }: EmbedView): string[] {
  const named = [...figures, ...facts].map(({ label }) => label)
  const listed = lists.flatMap((list) => [list.title, list.empty, ...list.rows.map((row) => row.status.label)])
  return [kind, status.label, status.help, ...notes.map(({ text }) => text), ...named, ...listed]
}

test.each(['customer', 'card-account', 'card', 'transaction', 'payout'] as const)(
  'a %s is shown in the language and time zone that the frame requests',
  async (type) => {
    const claims = await claimsOf(type)
    const customer = type === 'customer' ? { cardAccountIds: [claims.object.id], foundBy: 'xid' as const } : undefined
    const token = await signed({ ...claims, customer })
    const view = async (search: string) => (await viewOf(await read(claims.object, token, {}, search))).view
    const [english, chinese] = [await view(''), await view('&lang=zh-HK&time-zone=Asia/Tokyo')]
    expect(english.updatedAt).toMatch(/^\d\d:\d\d:\d\d HKT$/)
    expect(chinese.updatedAt).toMatch(/^\d\d:\d\d:\d\d GMT\+9$/)
    expect(ownTexts(english).length).toBe(ownTexts(chinese).length)
    for (const text of ownTexts(english)) expect(text).not.toMatch(/\p{Script=Han}/u)
    for (const text of ownTexts(chinese)) expect(text).toMatch(/\p{Script=Han}/u)
    // What the service sent stays as it is, in parentheses.
    expect(
      ownTexts(chinese)
        .join(' ')
        .replaceAll(/（[^）]*）/g, ''),
    ).not.toMatch(/[a-z]{3,}/)
    expect(chinese.facts.map(({ isCode, value }) => isCode && value)).toEqual(
      english.facts.map(({ isCode, value }) => isCode && value),
    )
    const unknown = await view('&lang=tlh&time-zone=Mars/Base')
    expect({ ...unknown, updatedAt: '', ageMs: 0 }).toEqual({ ...english, updatedAt: '', ageMs: 0 })
  },
)

test('the view of an account whose identity was rejected says why, and what to request', async () => {
  const claims = await claimsOf('card-account')
  const decide = (decision: object) =>
    desk.service.call('simulateClientIdentityStatus', { body: { cardAccountId: claims.object.id, ...decision } })
  const rejectedReason = 'Invalid ID (expired doc)'
  await decide({ action: 'reject', rejectedReason })
  onTestFinished(async () => void (await decide({ action: 'approve' })))
  const { view } = await viewOf(await read(claims.object, await signed(claims)))
  expect(view.status.label).toBe('Identity rejected')
  expect(view.notes.map(({ text }) => text).slice(0, 2)).toEqual([
    `The identity document has passed its expiry date. (${rejectedReason})`,
    expect.stringMatching(/^To request: ./),
  ])
})

test('the view of a declined charge says by which limit, what would let it pass, and what to tell the cardholder', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { rows } = await desk.service.service.db.execute<{ id: string; account: string }>(`
    select t.id, t.card_account_id as account from service.card_account_transactions t
      join service.cards c on c.id = t.card_id where t.status = 'declined' and c.last4 = '1881'`)
  const claims = await claimsOf('transaction')
  const object = { ...claims.object, id: rows[0]?.id ?? '', cardAccountId: rows[0]?.account ?? '' }
  const token = await signed({ ...claims, object })
  const { view } = await viewOf(await read(object, token))
  expect(view.notes.map(({ text }) => text)).toEqual([
    'The charge of 12,800.00 HKD was more than the single transaction limit of 10,000.00 HKD.',
    expect.stringMatching(/^The same charge now: It is 2,800\.00 HKD over .+ No action changes a card’s own limits\./),
    expect.stringMatching(
      /^Tell the cardholder: Your payment of 12,800\.00 HKD was over your card’s single transaction/,
    ),
  ])
  expect(view.lists[0]?.rows.find(({ title }) => title === 'Single transaction limit')).toMatchObject({
    detail: '10,000.00 HKD per charge · 2,800.00 HKD over',
    status: { label: 'too low', tone: 'bad' },
  })
  const chinese = await viewOf(await read(object, token, {}, '&lang=zh-Hant'))
  expect(chinese.view.notes[0]?.text).toBe('交易金額 12,800.00 HKD 超出每筆限額（10,000.00 HKD）。')
})

test('a view is read again only after a change that it may show', async () => {
  const claims = await claimsOf()
  const token = await signed(claims)
  const { position } = await viewOf(await read(claims.object, token))
  const poll = () => read(claims.object, token, {}, `&after=${position}`)
  expect((await poll()).status).toBe(204)
  publish('sandbox', [{ type: 'payouts' }, { type: 'cardaccount', id: randomUUID() }])
  await notificationsWritten()
  expect((await poll()).status).toBe(204)
  publish('sandbox', [{ type: 'cardaccount', id: claims.object.cardAccountId ?? '' }])
  await notificationsWritten()
  expect((await poll()).status).toBe(200)
})

test('a read that waits is answered by the change itself, and no longer if its token ended meanwhile', async () => {
  onTestFinished(closeLive)
  const { key, secret } = await createKey('Waiting help desk')
  const object = await objectOf('card')
  const created = await requestToken(secret, { ...object, origin })
  const { token } = (await created.json()) as { token: string }
  const { position } = await viewOf(await read(object, token))
  const wait = async (after: number) => {
    const response = read(object, token, {}, `&after=${after}&wait=1`)
    await expect.poll(() => hub().ends.size).toBe(1)
    return { response }
  }
  const change = async () => {
    publish('sandbox', [{ type: 'cardaccount', id: object.cardAccountId ?? '' }])
    await notificationsWritten()
  }
  const first = await wait(position)
  await hub().feed.ready()
  const changedAt = performance.now()
  await change()
  expect((await first.response).status).toBe(200)
  // Without it, the check of the service's state comes every two seconds.
  expect(performance.now() - changedAt).toBeLessThan(1500)
  const { position: next } = await viewOf(await read(object, token))
  const second = await wait(next)
  await desk.signIn('admin')
  await revokeEmbedKey({ environment: 'sandbox', keyId: key.id })
  await desk.signIn(null)
  await change()
  expect((await second.response).status).toBe(403)
})

test('so many reads wait in a process, and those beyond them are answered at once', async () => {
  onTestFinished(closeLive)
  const claims = await claimsOf()
  const given = { ...claims, opened: claims.object, expiresAt: new Date(), keyName: null, hasLink: true }
  const { position } = await viewOf(await read(claims.object, await signed(claims)))
  const leaving = new AbortController()
  const ask = () => hasNews(given, { after: position, pulse: null }, leaving.signal)
  const waiting = Array.from({ length: 300 }, ask)
  expect(await ask()).toBe(false)
  expect(hub().ends.size).toBe(300)
  leaving.abort()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([false]))
  expect(hub().ends.size).toBe(0)
})

test('a view is read again once the service stops responding, and once it responds again', async () => {
  const claims = await claimsOf('card-account')
  const token = await signed(claims)
  const showAgain = async () => {
    const { view, position, pulse } = await viewOf(await read(claims.object, token))
    const isChanged = () =>
      read(claims.object, token, {}, `&after=${position}&pulse=${pulse}`).then(({ status }) => status)
    return { view, isChanged }
  }
  const live = await showAgain()
  expect(live.view).toMatchObject({ isStored: false })
  expect(await live.isChanged()).toBe(204)
  await desk.stopService()
  let isStarted = false
  onTestFinished(() => (isStarted ? undefined : desk.startService()))
  await expect.poll(live.isChanged, { timeout: 10_000, interval: 500 }).toBe(200)
  const stored = await showAgain()
  expect(stored.view.isStored).toBe(true)
  expect(stored.view.notes[0]?.text).toContain('last copy')
  expect(stored.view.ageMs).toBeGreaterThan(0)
  expect(stored.view.updatedAt).toMatch(/^\d+ \w+ \d{4}, /)
  isStarted = true
  await desk.startService()
  await expect.poll(stored.isChanged, { timeout: 10_000, interval: 500 }).toBe(200)
})

test('staff who are disabled end their tokens', async () => {
  const claims = await claimsOf()
  const token = await signed(claims)
  const isCreator = eq(staff.id, claims.creator.id)
  await desk.db.update(staff).set({ disabledAt: new Date() }).where(isCreator)
  expect((await read(claims.object, token)).status).toBe(403)
  await desk.db.update(staff).set({ disabledAt: null }).where(isCreator)
  expect((await read(claims.object, token)).status).toBe(200)
})

test('an embed token opens nothing else', async () => {
  const claims = await claimsOf('payout')
  setCookie('carddesk-session', await signed(claims))
  await expect(readPayout('sandbox', claims.object.id)).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect((await requestToken(await signed(claims), {})).status).toBe(401)
})

test('the reads of a view have a limit of their own, and refused tokens too', async () => {
  // Limits count by the minute, and this one does not end meanwhile.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const claims = await claimsOf('payout')
  const token = await signed(claims)
  const { position } = await viewOf(await read(claims.object, token))
  const statuses = new Set<number>()
  for (let count = 0; count < embedLimits.reads; count += 1) {
    statuses.add((await read(claims.object, token, {}, `&after=${position}`)).status)
  }
  expect([...statuses]).toEqual([204, 429])
  const limited = await read(claims.object, token)
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  const log = captureLog()
  const refused: number[] = []
  for (let count = 0; count <= embedLimits.failures; count += 1) {
    refused.push((await read(claims.object, 'nonsense')).status)
  }
  expect([refused[0], refused.at(-1)]).toEqual([403, 429])
  expect(log().split('refused: an embed token or key')).toHaveLength(embedLimits.failures + 1)
})

test('another sealing key ends the tokens of the one before', async () => {
  const claims = await claimsOf()
  const token = await signed(claims)
  const settings = consoleSettings()
  expect(await verifyEmbedToken(settings, token)).toMatchObject(claims)
  expect(await verifyEmbedToken({ ...settings, sealingKey: Buffer.alloc(32, 4) }, token)).toBeNull()
})

function requestToken(secret: string, body: unknown): Promise<Response> {
  return respondToTokenRequest(
    new Request('https://console.test/api/embed/tokens', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
}

async function createKey(name: string) {
  await desk.signIn('admin')
  const created = await createEmbedKey({ environment: 'sandbox', name })
  await desk.signIn(null)
  if (created.kind !== 'created') throw new Error('the key was not created')
  return created
}

const lastAudit = async (act: string) => {
  const newest = desc(auditEntries.number)
  const [entry] = await desk.db.select().from(auditEntries).where(eq(auditEntries.act, act)).orderBy(newest).limit(1)
  return entry
}

test('a help desk gets tokens with its key, until the key is revoked', async () => {
  const { key, secret } = await createKey('Zendesk')
  const [row] = await desk.db.select().from(embedKeys).where(eq(embedKeys.id, key.id))
  expect(JSON.stringify(row)).not.toContain(secret)
  const object = await objectOf('card')
  const response = await requestToken(secret, { ...object, origin })
  expect(response.status).toBe(201)
  const { token } = (await response.json()) as { token: string }
  await viewOf(await read(object, token))
  expect(await lastAudit('embed.create')).toMatchObject({
    staffId: key.id,
    staffName: 'Zendesk',
    staffRole: null,
    targetType: 'card',
    targetId: object.id,
    comment: `for ${origin}`,
  })
  await desk.signIn('admin')
  expect((await readEmbedSettings('sandbox')).keys[0]?.lastUsedAt).not.toBeNull()
  await revokeEmbedKey({ environment: 'sandbox', keyId: key.id })
  expect((await read(object, token)).status).toBe(403)
  expect((await requestToken(secret, { ...object, origin })).status).toBe(401)
  expect(await lastAudit('embed-key.create')).toMatchObject({ targetLabel: 'Zendesk', staffRole: 'admin' })
  expect(await lastAudit('embed-key.revoke')).toMatchObject({ targetLabel: 'Zendesk', staffRole: 'admin' })
})

test('a key is made by a passkey, where they are required', async () => {
  const settings = consoleSettings()
  Object.assign(settings, { stepUp: 'required' })
  onTestFinished(() => void Object.assign(settings, { stepUp: 'optional' }))
  await desk.signIn('admin')
  const count = () => desk.db.$count(embedKeys)
  const before = await count()
  expect(await createEmbedKey({ environment: 'sandbox', name: 'Own' })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'PASSKEY_REQUIRED' },
  })
  expect(await count()).toBe(before)
})

test('a key has tokens for 270 agents with four views each in a minute, and says when there are more', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { key, secret } = await createKey('Large help desk')
  const object = await objectOf('payout')
  for (let count = 0; count < 270 * 4 - 1; count += 1) requireLimit('tokens', key.id)
  expect((await requestToken(secret, { ...object, origin })).status).toBe(201)
  for (let count = 270 * 4; count < embedLimits.tokens; count += 1) requireLimit('tokens', key.id)
  const refused = await requestToken(secret, { ...object, origin })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // The limit of one key is not that of another.
  const other = await createKey('Small help desk')
  expect((await requestToken(other.secret, { ...object, origin })).status).toBe(201)
})

test('a token request names the field that is wrong', async () => {
  const { secret } = await createKey('Salesforce')
  const object = await objectOf('card')
  const problemOf = async (body: object) => {
    const response = await requestToken(secret, body)
    return [response.status, ((await response.json()) as { message: string }).message]
  }
  expect(await problemOf({ ...object, origin: 'https://evil.example' })).toEqual([
    400,
    'origin must be in EMBED_ALLOWED_ORIGINS',
  ])
  expect(await problemOf({ ...object, cardAccountId: null, origin })).toEqual([
    400,
    'cardAccountId must be the card account of the card or transaction',
  ])
  expect(await problemOf({ ...object, type: 'fee', origin })).toEqual([
    400,
    'type must be one of customer, card-account, card, transaction, payout',
  ])
  expect(await problemOf({ ...object, environment: 'production', origin })).toEqual([
    400,
    'environment must be sandbox: the key is for no other',
  ])
  expect(await problemOf({ ...object, scope: 'all', origin })).toEqual([400, 'scope is not known'])
})

test('staff create tokens for allowed origins, audited with the object and the origin', async () => {
  const member = await desk.signIn('support')
  const object = await objectOf('payout')
  const created = await createEmbedToken({ ...object, origin })
  expect(created).toMatchObject({ kind: 'created' })
  expect(await lastAudit('embed.create')).toMatchObject({
    staffId: member?.id,
    targetType: 'payout',
    targetId: object.id,
    comment: `for ${origin}`,
  })
  expect(await createEmbedToken({ ...object, origin: 'https://evil.example' })).toEqual({
    kind: 'invalid',
    fields: { origin: 'must be in EMBED_ALLOWED_ORIGINS' },
  })
  await desk.signIn('viewer')
  expect(await createEmbedToken({ ...object, origin })).toMatchObject({ outcome: { code: 'NOT_PERMITTED' } })
})

test('a view shows no transaction of another card or account where the service ignores the filters', async () => {
  const [card, account] = [await objectOf('card'), await objectOf('card-account')]
  const { rows } = await desk.service.service.db.execute<{ id: string }>('select id from service.card_accounts')
  const lists = await Promise.all(
    rows.map(({ id }) => desk.service.call('listCardAccountTransactions', { query: { cardAccountId: id } })),
  )
  const all = lists.flatMap(({ json }) => json.transactions as { cardId: string | null; cardAccountId: string }[])
  const own = all.filter(({ cardId }) => cardId === card.id)
  const others = all.filter(({ cardId, cardAccountId }) => cardId !== card.id && cardAccountId !== account.id)
  const shown = async (object: EmbedObject, transactions: object[]) => {
    stubResponses(desk, { '/cardaccounts/transactions': () => ({ transactions, nextPageToken: null }) })
    const { records } = await readRecords(object, undefined)
    return 'transactions' in records ? records.transactions : undefined
  }
  expect(await shown(card, [...others.slice(0, 4), ...own.slice(0, 1)])).toMatchObject(own.slice(0, 1))
  expect(await shown(account, [...others.slice(0, 4), ...own.slice(0, 1)])).toMatchObject(own.slice(0, 1))
  expect(await shown(card, others.slice(0, 5))).toBeNull()
})
