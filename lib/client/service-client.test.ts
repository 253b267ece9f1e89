import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import type { Card } from '#lib/contract/records.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { otherTestKeyPair } from '#lib/signing/testing.ts'
import type { RequestRecord } from './client-options.ts'
import { prepare } from './prepare.ts'
import { createServiceClient } from './service-client.ts'
import { ServiceError } from './service-error.ts'
import {
  accessKey,
  responses,
  card,
  cardTarget,
  drop,
  json,
  pong,
  privateKey,
  silence,
  status,
  stubService,
  testClient,
  testTime,
} from './testing.ts'

const lock = prepare('lockCard', { body: cardTarget })
const locked = (response: Parameters<typeof pong>[0]) => json(response, 200, card)
const noCards = (response: Parameters<typeof pong>[0]) =>
  json(response, 200, { cards: [], prevPageToken: null, nextPageToken: null })
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const cardsOf = (account: number) => ({ query: { cardAccountId: String(account) } })

async function errorOf(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ServiceError) return error
  throw new Error('a ServiceError was expected')
}

describe('a signed request', () => {
  test('goes out with the uri that is signed: base path, path and query as on the request line', async () => {
    const service = await stubService((response) =>
      json(response, 200, { cardaccounts: [], prevPageToken: null, nextPageToken: null }),
    )
    await testClient(service).call('listCardAccounts', { query: { xid: 'a b/ü', pageSize: '20' } })
    const [request] = service.received
    expect(request?.uri).toBe('/service/v1/cardaccounts?xid=a+b%2F%C3%BC&pageSize=20')
    expect(request?.claims).toMatchObject({ uri: request?.uri, method: 'GET', sub: accessKey, body: sha256Hex('') })
    expect(request?.headers).not.toHaveProperty('content-type')
    expect(request?.headers).not.toHaveProperty('idempotency-key')
    expect(request?.headers).not.toHaveProperty('priority')
  })

  test('has background priority where no person waits', async () => {
    const service = await stubService((response) => json(response, 200, { message: 'pong' }))
    await testClient(service).call('ping', {}, { isBackground: true })
    expect(service.received[0]?.headers).toMatchObject({ priority: 'u=7' })
  })

  test('carries exactly the prepared bytes, their hash and the idempotency key', async () => {
    const service = await stubService(locked)
    const sent = await testClient(service).send(lock, { idempotencyKey: 'operation-1' })
    expect(sent).toEqual({
      outcome: 'accepted',
      response: card,
      body: card,
      unreadable: null,
      status: 200,
      requestId: 'request-1',
      attempts: 1,
    })
    const [request] = service.received
    expect(request?.body.equals(lock.bytes ?? Buffer.of())).toBe(true)
    expect(request?.claims['body']).toBe(lock.bodySha256)
    expect(request?.headers).toMatchObject({ 'idempotency-key': 'operation-1', 'content-type': 'application/json' })
  })

  test('is not signed where the bytes are others than were prepared', async () => {
    const service = await stubService(locked)
    const tampered = { ...lock, bytes: Buffer.from('{"cardId":"another"}') }
    await expect(testClient(service).send(tampered, { idempotencyKey: 'k' })).rejects.toThrow(TypeError)
    expect(service.received).toEqual([])
  })

  test.each(['', 'a b', 'ü', 'a\r\nx: y', 'x'.repeat(256)])(
    'is not sent under the idempotency key %j',
    async (idempotencyKey) => {
      const service = await stubService(locked)
      await expect(testClient(service).send(lock, { idempotencyKey })).rejects.toThrow(TypeError)
      expect(service.received).toEqual([])
    },
  )

  test('is typed by the contract', () => {
    const client = createServiceClient({ baseUrl: 'http://127.0.0.1:9/v1', accessKey, privateKey })
    expectTypeOf(client.call<'listCards'>)
      .returns.resolves.toHaveProperty('response')
      .toHaveProperty('cards')
      .toEqualTypeOf<Card[]>()
    return client.close()
  })
})

describe('repeating', () => {
  test('signs every attempt afresh and sends the same bytes under the same key', async () => {
    const wall = { ms: 1_790_000_000_000 }
    const service = await stubService(responses(status(500), status(503), locked), () => wall.ms)
    const { surroundings } = testTime()
    const client = testClient(service, {
      surroundings: { ...surroundings, wallMs: () => wall.ms, pause: async () => void (wall.ms += 40_000) },
    })
    const sent = await client.send(lock, { idempotencyKey: 'operation-2' })
    expect(sent).toMatchObject({ outcome: 'accepted', attempts: 3 })
    expect(service.received.map(({ claims }) => claims.iat)).toEqual([1_790_000_000, 1_790_000_040, 1_790_000_080])
    expect(new Set(service.received.map(({ token }) => token)).size).toBe(3)
    expect(new Set(service.received.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['operation-2']))
    expect(new Set(service.received.map(({ body }) => body.toString()))).toEqual(new Set([JSON.stringify(cardTarget)]))
  })

  test('pauses with full jitter that doubles up to its bound', async () => {
    const service = await stubService(status(500))
    const { time, surroundings } = testTime()
    const client = testClient(service, { surroundings, retry: { attempts: 6, baseMs: 100, maximumMs: 500 } })
    const error = await errorOf(client.call('ping', {}))
    expect(time.pauses).toEqual([50, 100, 200, 250, 250])
    expect(error).toMatchObject({ status: 500, code: null, attempts: 6, outcome: 'unknown' })
  })

  test('pauses in real time where no clock is injected', async () => {
    const service = await stubService(responses(status(503, undefined, { 'retry-after': '1' }), pong))
    const client = testClient(service, { surroundings: {} })
    const start = performance.now()
    expect((await client.call('ping', {})).response).toEqual({ message: 'pong' })
    expect(performance.now() - start).toBeGreaterThanOrEqual(995)
  })

  test('waits for the time in Retry-After, in seconds or as a date', async () => {
    const wall = Date.UTC(2026, 10, 21, 6, 0, 0)
    const inFourSeconds = new Date(wall + 4000).toUTCString()
    const service = await stubService(
      responses(
        status(429, 'RATE_LIMITED', { 'retry-after': '3' }),
        status(503, undefined, { 'retry-after': inFourSeconds }),
        pong,
      ),
      () => wall,
    )
    const { time, surroundings } = testTime()
    const client = testClient(service, {
      surroundings: { ...surroundings, wallMs: () => wall },
      retry: { baseMs: 100 },
    })
    expect((await client.call('ping', {})).response).toEqual({ message: 'pong' })
    expect(time.pauses).toEqual([3050, 4100])
  })

  test('ends where Retry-After exceeds the call’s time, and passes the value on', async () => {
    const service = await stubService(status(429, 'RATE_LIMITED', { 'retry-after': '60' }))
    const error = await errorOf(testClient(service).call('ping', {}))
    expect(error).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      attempts: 1,
      retryAfterMs: 60_000,
    })
    expect(service.received).toHaveLength(1)
  })

  test.each([400, 401, 403, 404, 405, 409, 413, 415])('never repeats after %d, which is final', async (final) => {
    const service = await stubService(status(final, 'SOME_CODE'))
    const sent = await testClient(service).send(lock, { idempotencyKey: 'k' })
    expect(sent).toMatchObject({
      outcome: 'refused',
      error: {
        status: final,
        code: 'SOME_CODE',
        message: `answer ${final}`,
        requestId: 'request-1',
        attempts: 1,
      },
    })
    expect(service.received).toHaveLength(1)
  })

  test('never repeats a POST without an idempotency key', async () => {
    const service = await stubService(status(500))
    const error = await errorOf(testClient(service).call('lockCard', { body: cardTarget }))
    expect(error).toMatchObject({ attempts: 1, outcome: 'unknown' })
    expect(service.received).toHaveLength(1)
  })

  test('repeats a POST of call under the idempotency key of its options', async () => {
    const service = await stubService(responses(status(500), locked))
    const { response } = await testClient(service).call('lockCard', { body: cardTarget }, { idempotencyKey: 'k' })
    expect(response).toEqual(card)
    expect(service.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k'])
  })

  test('repeats a POST whose body has the idempotency key in itself', async () => {
    const service = await stubService(responses(status(500), locked))
    const body = { ...cardTarget, idempotencyKey: 'schlüssel' }
    expect((await testClient(service).call('lockCard', { body })).response).toEqual(card)
    expect(service.received).toHaveLength(2)
  })

  test('is bounded by the deadline of the call', async () => {
    const service = await stubService(status(500))
    const error = await errorOf(testClient(service).call('ping', {}, { deadlineMs: 200 }))
    expect(error.attempts).toBe(2)
  })

  test('is bounded by the budget: of 200 calls that fail at once, retries are a tenth and the floor', async () => {
    const service = await stubService(status(500))
    const client = testClient(service, { retryBudget: { share: 0.1, floor: 5, windowMs: 10_000 } })
    await Promise.all(numbers(200).map((number) => errorOf(client.call('listCards', cardsOf(number)))))
    expect(service.received.length).toBeLessThanOrEqual(200 + 20 + 5)
    expect(service.received.length).toBeGreaterThan(200)
  })
})

describe('outcome of a mutation', () => {
  /** Executes once per key and keeps the response, as the contract has it; `lose` says whether the wire loses a response. */
  function keepingService(lose: (count: number) => boolean) {
    const stored = new Map<unknown, number>()
    let effects = 0
    const service = stubService((response, request, count) => {
      const key = request.headers['idempotency-key']
      const replayed = stored.has(key)
      if (!replayed) stored.set(key, ++effects)
      if (lose(count)) response.socket?.destroy()
      else json(response, 200, card, replayed ? { 'idempotency-replayed': 'true' } : {})
    })
    return service.then((service) => ({ ...service, effects: () => effects }))
  }

  test('is done, with one effect, where the connection dropped after the work and the retry returns the stored response', async () => {
    const service = await keepingService((count) => count === 1)
    const sent = await testClient(service).send(lock, { idempotencyKey: 'k' })
    expect(sent).toMatchObject({ outcome: 'accepted', attempts: 2 })
    expect(service.effects()).toBe(1)
  })

  test('is unknown where every response is lost, and done by the same bytes under the same key later', async () => {
    const service = await keepingService((count) => count <= 4)
    const client = testClient(service)
    const sent = await client.send(lock, { idempotencyKey: 'k' })
    expect(sent).toMatchObject({
      outcome: 'unknown',
      error: { code: 'CONNECTION_LOST', status: null, attempts: 4 },
    })
    expect(await client.send(lock, { idempotencyKey: 'k' })).toMatchObject({ outcome: 'accepted' })
    expect(service.effects()).toBe(1)
  })

  test('is not-sent where every connection was refused', async () => {
    const service = await stubService(locked)
    await service.stop()
    const sent = await testClient(service).send(lock, { idempotencyKey: 'k' })
    expect(sent).toMatchObject({
      outcome: 'not-sent',
      error: { code: 'CONNECTION_FAILED', attempts: 4 },
    })
  })

  test('is not-sent where no name leads to the service, or no TLS session comes about in time', async () => {
    const mute = createServer()
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void mute.close())
    const { port } = mute.address() as AddressInfo
    for (const baseUrl of [`https://127.0.0.1:${port}/v1`, 'http://service.invalid/v1']) {
      const client = testClient({ baseUrl }, { transport: { connectTimeoutMs: 50 } })
      const sent = await client.send(lock, { idempotencyKey: 'k', attempts: 1 })
      expect(sent).toMatchObject({ outcome: 'not-sent', error: { code: 'CONNECTION_FAILED' } })
    }
  })

  test('is unknown where one attempt of several may have arrived', async () => {
    const service = await stubService(drop)
    const { surroundings } = testTime()
    const client = testClient(service, { surroundings: { ...surroundings, pause: () => service.stop() } })
    const sent = await client.send(lock, { idempotencyKey: 'k' })
    expect(sent).toMatchObject({ outcome: 'unknown', error: { code: 'CONNECTION_FAILED', attempts: 4 } })
  })

  test.each([
    [400, 'CARD_ALREADY_LOCKED'],
    [404, 'CARD_ACCOUNT_NOT_FOUND'],
    [409, 'XID_ALREADY_EXISTS'],
    [409, 'IDEMPOTENCY_CONFLICT'],
    [401, 'TOKEN_EXPIRED'],
    [413, 'PAYLOAD_TOO_LARGE'],
  ])('is unknown where %d %s follows a lost response: the lost attempt may have caused it', async (final, code) => {
    const service = await stubService(responses(drop, status(final, code)))
    const sent = await testClient(service).send(lock, { idempotencyKey: 'k' })
    expect(sent).toMatchObject({
      outcome: 'unknown',
      error: { status: final, code, attempts: 2 },
    })
  })

  test('is unknown where the service accepted the token of the only attempt before', async () => {
    const service = await stubService(status(401, 'TOKEN_REPLAYED'))
    expect(await testClient(service).send(lock, { idempotencyKey: 'k' })).toMatchObject({ outcome: 'unknown' })
  })

  test.each([
    ['a 401', status(401, 'TOKEN_EXPIRED'), 'unknown'],
    ['a 401 of a replayed token', status(401, 'TOKEN_REPLAYED'), 'unknown'],
    ['a 404 of the address', status(404, 'NOT_FOUND'), 'unknown'],
    ['a refusal of its own', status(400, 'CARD_ALREADY_LOCKED'), 'unknown'],
    ['the stored refusal', status(400, 'INACTIVE_CARD', { 'idempotency-replayed': 'true' }), 'refused'],
    ['the stored response', locked, 'accepted'],
  ] as const)(
    'that was unknown is settled by %s only where the service repeats its first response',
    async (_, respond, outcome) => {
      const service = await stubService(respond)
      const sent = await testClient(service).send(lock, { idempotencyKey: 'k', wasSentBefore: true })
      expect(sent.outcome).toBe(outcome)
    },
  )

  test('that was unknown stays so while no connection comes about', async () => {
    const service = await stubService(locked)
    await service.stop()
    const sent = await testClient(service).send(lock, { idempotencyKey: 'k', wasSentBefore: true })
    expect(sent).toMatchObject({ outcome: 'unknown', error: { code: 'CONNECTION_FAILED' } })
  })

  test('is not-sent where the client was closed before', async () => {
    const service = await stubService(locked)
    const client = createServiceClient({ baseUrl: service.baseUrl, accessKey, privateKey })
    await client.close()
    const sent = await client.send(lock, { idempotencyKey: 'k', attempts: 1 })
    expect(sent).toMatchObject({ outcome: 'not-sent', error: { code: 'CONNECTION_FAILED' } })
    expect(service.received).toEqual([])
  })

  test('is unknown after 408, 5xx and 429 alone, since each can hide the work', async () => {
    for (const failing of [408, 500, 502, 429]) {
      const service = await stubService(status(failing))
      const sent = await testClient(service).send(lock, { idempotencyKey: 'k' })
      expect(sent).toMatchObject({ outcome: 'unknown', error: { status: failing, attempts: 4 } })
    }
  })

  test('is not-sent where it is given up before the first attempt, and unknown afterwards', async () => {
    const service = await stubService(silence)
    const client = testClient(service)
    const early = await client.send(lock, { idempotencyKey: 'k', signal: AbortSignal.abort() })
    expect(early).toMatchObject({ outcome: 'not-sent', error: { code: 'CANCELLED', attempts: 0 } })
    const controller = new AbortController()
    const pending = client.send(lock, { idempotencyKey: 'k', signal: controller.signal })
    await expect.poll(() => service.received.length).toBe(1)
    controller.abort()
    expect(await pending).toMatchObject({
      outcome: 'unknown',
      error: { code: 'CANCELLED', attempts: 1 },
    })
  })
})

describe('time-outs', () => {
  const cases = {
    'no head of an answer comes': { respond: silence, transport: { headersTimeoutMs: 60 } },
    'its body stops': {
      respond: (response: Parameters<typeof pong>[0]) => void response.write('{'),
      transport: { bodyTimeoutMs: 60 },
    },
    'it trickles for ever': { respond: trickle, retry: { attemptTimeoutMs: 120 } },
  }

  // All at once: each takes a second or two, since undici looks at its clock so rarely.
  test('a request ends as TIMED_OUT where no head comes, its body stops or trickles for ever; it is repeated, and leaves a mutation unknown', async () => {
    const ends = Object.entries(cases).map(async ([name, { respond, ...options }]) => {
      const service = await stubService(respond)
      const retry = { attempts: 2, ...('retry' in options && options.retry) }
      const client = testClient(service, { ...options, retry })
      const sent = await client.send(lock, { idempotencyKey: 'k' })
      const error = { code: 'TIMED_OUT', attempts: 2 }
      expect(sent, name).toMatchObject({ outcome: 'unknown', error })
      expect(service.received, name).toHaveLength(2)
    })
    await Promise.all(ends)
  })

  function trickle(response: Parameters<typeof pong>[0]): void {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }
})

describe('connections', () => {
  test('are reused: 30 calls one after the other use one', async () => {
    const service = await stubService(pong)
    const client = testClient(service)
    for (let call = 0; call < 30; call++) await client.call('ping', {})
    expect(service.sockets.size).toBe(1)
  })

  test('are no more than allowed, however many calls wait', async () => {
    const service = await stubService(noCards)
    const client = testClient(service, { transport: { connections: 3 } })
    await Promise.all(numbers(40).map((number) => client.call('listCards', cardsOf(number))))
    expect(service.sockets.size).toBeLessThanOrEqual(3)
    expect(service.received).toHaveLength(40)
  })

  test('that the service closed while idle cost no call', async () => {
    const service = await stubService(pong)
    const client = testClient(service)
    for (let call = 0; call < 10; call++) {
      expect((await client.call('ping', {})).response).toEqual({ message: 'pong' })
      for (const socket of service.sockets) socket.destroy()
    }
  })
})

describe('equal reads', () => {
  test('share one request while it is being signed, and its response', async () => {
    const service = await stubService(noCards)
    const client = testClient(service)
    const [first, ...others] = await Promise.all([
      ...numbers(16).map(() => client.call('listCards', cardsOf(1))),
      client.call('listCards', cardsOf(2)),
    ])
    expect(service.received.map(({ uri }) => uri).toSorted()).toEqual(
      [1, 2].map((n) => `/service/v1/cards?cardAccountId=${n}`),
    )
    expect(others.filter(({ requestId }) => requestId === first?.requestId)).toHaveLength(15)
  })

  test('share no request that the service may have read already', async () => {
    const late = Promise.withResolvers<{ requestId: string | null }>()
    const service = await stubService((response) => {
      if (service.received.length === 1) late.resolve(read())
      noCards(response)
    })
    const client = testClient(service)
    const read = () => client.call('listCards', cardsOf(1))
    const ids = [await read(), await late.promise].map(({ requestId }) => requestId)
    expect(ids).toEqual(['request-1', 'request-2'])
  })

  test('of one who leaves and one who stays: the one who stays gets the response', async () => {
    const service = await stubService(noCards)
    const client = testClient(service)
    const leaving = new AbortController()
    const left = client.call('listCards', cardsOf(1), { signal: leaving.signal })
    const stayed = client.call('listCards', cardsOf(1), { signal: new AbortController().signal })
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    expect((await stayed).response.cards).toEqual([])
    expect(service.received).toHaveLength(1)
  })

  test('are not sent where everybody has left before', async () => {
    const service = await stubService(noCards)
    const client = testClient(service)
    const leaving = new AbortController()
    const calls = numbers(3).map(() => client.call('listCards', cardsOf(1), { signal: leaving.signal }))
    leaving.abort(new Error('left'))
    const results = await Promise.allSettled(calls)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect((await client.call('listCards', cardsOf(1))).response.cards).toEqual([])
    expect(service.received).toHaveLength(1)
  })

  test('with another patience or priority are requests of their own', async () => {
    const service = await stubService(noCards)
    const client = testClient(service)
    const all = [{}, { deadlineMs: 7000 }, { isBackground: true }]
    await Promise.all(all.map((options) => client.call('listCards', cardsOf(1), options)))
    expect(service.received).toHaveLength(3)
  })
})

describe('the circuit', () => {
  test('opens when the service stops responding, spares it, and closes by one probe once it responds', async () => {
    let isAway = true
    const service = await stubService((response, request, count) => (isAway ? drop : pong)(response, request, count))
    const { time, surroundings } = testTime()
    const circuitBreaker = { minimumFailures: 5, openMs: 2000 }
    const client = testClient(service, { surroundings, circuitBreaker, retry: { attempts: 1 } })
    for (let call = 0; call < 5; call++) await errorOf(client.call('ping', {}))
    expect(client.circuit()).toBe('open')

    const sent = await client.send(lock, { idempotencyKey: 'k' })
    expect(sent).toMatchObject({ outcome: 'not-sent', error: { code: 'CIRCUIT_OPEN', attempts: 0 } })
    expect(service.received).toHaveLength(5)

    isAway = false
    time.ms += 2000
    const probed = await Promise.allSettled([client.call('ping', {}), client.call('listCards', cardsOf(1))])
    expect(probed.map((result) => result.status)).toEqual(['fulfilled', 'rejected'])
    expect(client.circuit()).toBe('closed')
    expect((await client.call('ping', {})).response).toEqual({ message: 'pong' })
  })

  test('reports the failure that a call saw itself, not that the circuit opened meanwhile', async () => {
    const service = await stubService(status(503))
    const client = testClient(service, { circuitBreaker: { minimumFailures: 2 } })
    expect(await errorOf(client.call('ping', {}))).toMatchObject({ status: 503, attempts: 2 })
  })

  test('stays closed under 500 and 4xx, which are responses', async () => {
    const service = await stubService(responses(status(500), status(400)))
    const client = testClient(service, { circuitBreaker: { minimumFailures: 1 } })
    await errorOf(client.call('ping', {}))
    expect(client.circuit()).toBe('closed')
  })
})

describe('what is logged', () => {
  test('each attempt, without body, token or base address', async () => {
    const service = await stubService(responses(status(500), status(400, 'CARD_ALREADY_LOCKED')))
    const records: RequestRecord[] = []
    await testClient(service, { onRequest: (record) => records.push(record) }).send(lock, { idempotencyKey: 'k' })
    const common = { method: 'POST', path: '/cards/lock', durationMs: 0 }
    expect(records).toEqual([
      { ...common, status: 500, requestId: 'request-1', attempt: 1, code: null },
      { ...common, status: 400, requestId: 'request-2', attempt: 2, code: 'CARD_ALREADY_LOCKED' },
    ])
  })

  test('nothing that a throwing hook could spoil', async () => {
    const service = await stubService(locked)
    const warned: Error[] = []
    const listen = (warning: Error) => warned.push(warning)
    process.on('warning', listen)
    onTestFinished(() => void process.off('warning', listen))
    const broken = () => {
      throw new Error('the hook is broken')
    }
    expect(await testClient(service, { onRequest: broken }).send(lock, { idempotencyKey: 'k' })).toMatchObject({
      outcome: 'accepted',
    })
    await expect.poll(() => warned.map(({ message }) => message)).toEqual(['the hook is broken'])
  })

  test('how far the service’s clock is off, and that a 401 comes from it', async () => {
    const service = await stubService(
      (response) => pong(response, service.received[0] ?? fail(), 1),
      () => Date.now() + 90_000,
    )
    const client = testClient(service)
    expect(client.clockOffsetMs()).toBeNull()
    const error = await errorOf(client.call('ping', {}))
    expect(error).toMatchObject({ status: 401, code: 'TOKEN_EXPIRED', outcome: 'refused' })
    expect(Math.abs(client.clockOffsetMs() ?? 1e9)).toBeLessThan(3000)
    expect(error.diagnosis).toBe('The clocks of console and service agree to within a few seconds.')
  })

  test.each([
    [
      90_000,
      'The card service’s clock is 90 s ahead of this server’s. Tokens live for seconds: set the clock that is wrong.',
    ],
    [
      -90_000,
      'The card service’s clock is 90 s behind this server’s. Tokens live for seconds: set the clock that is wrong.',
    ],
  ])('a service’s clock that is %d ms off, in the diagnosis of TOKEN_EXPIRED', async (offsetMs, diagnosis) => {
    const start = Date.UTC(2026, 10, 21, 6, 0, 0, 500)
    const service = await stubService(
      (response) =>
        json(
          response,
          401,
          { code: 'TOKEN_EXPIRED', message: 'late' },
          { date: new Date(start + offsetMs).toUTCString() },
        ),
      () => start,
    )
    const { surroundings } = testTime()
    const client = testClient(service, { surroundings: { ...surroundings, wallMs: () => start } })
    expect((await errorOf(client.call('ping', {}))).diagnosis).toBe(diagnosis)
    expect(client.clockOffsetMs()).toBe(offsetMs)
  })

  test('the clocks, after a 401 of any text, where they are apart', async () => {
    const start = Date.UTC(2026, 10, 21, 6, 0, 0, 500)
    const date = new Date(start + 90_000).toUTCString()
    const service = await stubService(
      (response) => json(response, 401, { error: 'no' }, { date }),
      () => start,
    )
    const { surroundings } = testTime()
    const client = testClient(service, { surroundings: { ...surroundings, wallMs: () => start } })
    expect((await errorOf(client.call('ping', {}))).diagnosis).toMatch(/^The card service’s clock is 90 s ahead/)
  })

  test('which claim differs where something in between changes the request, else that the key may be wrong', async () => {
    const service = await stubService(pong)
    const wrongKey = otherTestKeyPair.privateKey
    const error = await errorOf(testClient(service, { privateKey: wrongKey }).call('ping', {}))
    expect(error).toMatchObject({ status: 401, code: 'INVALID_SIGNATURE' })
    expect(error.diagnosis).toMatch(/^The private key in the settings may not belong to the public key/)

    const message = 'JWT signature verification failed: the claim uri is "/a", and the request’s is "/b"'
    const behind = await stubService((response) => json(response, 401, { code: 'INVALID_SIGNATURE', message }))
    expect((await errorOf(testClient(behind).call('ping', {}))).diagnosis).toMatch(
      /^The card service received another uri than was signed/,
    )
  })

  test('nothing of keys and clocks where requests are not signed', async () => {
    const service = await stubService(pong)
    const surroundings = { ...testTime().surroundings, wallMs: () => 0 }
    const client = testClient(service, { privateKey: null, surroundings })
    expect(await errorOf(client.call('ping', {}))).toMatchObject({ status: 401, diagnosis: null })
  })
})

describe('createServiceClient', () => {
  test.each([
    '',
    'service/v1',
    'ftp://service.test/v1',
    'http://user:pw@service.test/v1',
    'http://service.test/v1?a=b',
    'http://service.test/v1#a',
  ])('refuses the base address %j with TypeError', (baseUrl) => {
    expect(() => createServiceClient({ baseUrl, accessKey, privateKey })).toThrow(TypeError)
  })

  test('refuses a private key that cannot sign with TypeError', () => {
    expect(() => createServiceClient({ baseUrl: 'http://service.test/v1', accessKey, privateKey: 'no key' })).toThrow(
      TypeError,
    )
  })

  test('takes a base address with or without a slash at its end', async () => {
    const service = await stubService(pong)
    await testClient({ baseUrl: `${service.baseUrl}/` }).call('ping', {})
    expect(service.received[0]?.uri).toBe('/service/v1/ping')
  })
})

function fail(): never {
  throw new Error('no request was received')
}

describe('a page token of 8 kB', () => {
  const query = { pageToken: '+/='.repeat(2730) }

  test('is sent, signed and encoded, in less than 64 kB of headers', async () => {
    const service = await stubService((response) => json(response, 200, { fees: [] }), Date.now, 64 * 1024)
    await testClient(service).call('listFees', { query })
    expect(new URL(service.received[0]?.uri ?? '', 'http://x').searchParams.get('pageToken')).toBe(query.pageToken)
  })

  test('that is too long for the service ends with a plain message, and is not sent again', async () => {
    const service = await stubService(pong)
    const error = await testClient(service)
      .call('listFees', { query })
      .catch((reason: unknown) => reason)
    const message = expect.stringContaining('doesn’t accept a request this long')
    expect(error).toMatchObject({ status: 431, code: 'REQUEST_TOO_LONG', outcome: 'refused', attempts: 1, message })
    expect(service.received).toEqual([])
  })
})
