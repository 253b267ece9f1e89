import { createServer, type AddressInfo, type Socket } from 'node:net'
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Deviation } from './client-options.ts'
import { prepare } from './prepare.ts'
import { card, cardTarget, json, stubService, testClient, type Respond } from './testing.ts'

const lock = prepare('lockCard', { body: cardTarget })

function sends(text: string | Uint8Array, status = 200): Respond {
  return (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

describe('a response', () => {
  test('of another form is an error for a reader, which names endpoint, expected and found', async () => {
    const service = await stubService((response) => json(response, 200, { data: [card], total: 1 }))
    const deviations: Deviation[] = []
    const client = testClient(service, { onDeviation: (deviation) => deviations.push(deviation) })
    const query = { cardAccountId: card.cardAccountId }
    await expect(client.call('listCards', { query })).rejects.toMatchObject({
      code: 'RESPONSE_UNEXPECTED',
      message:
        'GET /cards returned an object with "data" (a list), "total" (a number), expected an object with "cards".',
    })
    expect(deviations).toMatchObject([{ name: 'listCards', requestId: 'request-1', differences: [{ path: '' }] }])
  })

  test.each(['', ' ', '<!doctype html><title>Sign in</title>', '{"cards":[]', '\0'])(
    'that is not JSON (%j) is an error for a reader, and leaves a mutation to be verified',
    async (text) => {
      const service = await stubService(sends(text))
      const client = testClient(service)
      const listed = client.call('listCards', { query: { cardAccountId: card.cardAccountId } })
      await expect(listed).rejects.toMatchObject({
        code: 'RESPONSE_UNREADABLE',
        status: 200,
        attempts: 1,
      })
      const sent = await client.send(lock, { idempotencyKey: 'k' })
      expect(sent).toMatchObject({ outcome: 'accepted', response: null, body: undefined, requestId: 'request-2' })
    },
  )

  test('nested deeper than any contract is parsed', async () => {
    const depth = 50_000
    const service = await stubService(sends(`{"xmetadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`))
    const { response } = await testClient(service).call('lockCard', { body: cardTarget })
    expect(response.status).toBeNull()
  })

  test('ends every response of any bytes and status in a result or a ServiceError', async () => {
    let respond: Respond = sends('')
    const service = await stubService((...given) => respond(...given))
    const client = testClient(service, { retry: { attempts: 1 }, circuitBreaker: { minimumFailures: 1e9 } })
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.json(),
      fc.json().map((text) => `{"code":${text},"message":${text}}`),
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 200, max: 599 }), bytes, async (status, content) => {
        respond = sends(content, status)
        const sent = await client.send(lock, { idempotencyKey: 'k' })
        if (sent.outcome === 'accepted') {
          expect(status).toBeLessThan(300)
          return
        }
        expect(sent.error).toMatchObject({ name: 'ServiceError', status, requestId: expect.any(String) })
        expect(sent.outcome).toBe(status >= 400 && status < 500 && status !== 429 ? 'refused' : 'unknown')
        expect(sent.error.message).not.toBe('')
      }),
      { numRuns: 200 },
    )
  })

  test('bounds the texts of an error, and takes none that is no text', async () => {
    const long = 'x'.repeat(100_000)
    const service = await stubService((response) => json(response, 400, { code: long, message: long }))
    const sent = await testClient(service).send(lock, { idempotencyKey: 'k' })
    expect(sent.outcome === 'refused' && sent.error.message).toHaveLength(2000)
    expect(sent.outcome === 'refused' && sent.error.code).toHaveLength(100)
    const other = await stubService((response) => json(response, 400, { code: 7, message: { a: 1 } }))
    expect(await testClient(other).send(lock, { idempotencyKey: 'k' })).toMatchObject({
      outcome: 'refused',
      error: { code: null, message: 'The card service responded with HTTP 400.' },
    })
  })

  test.each([
    [{ error: { code: 'E12', message: 'blocked' } }, 'E12', 'blocked'],
    [{ errors: [{ code: 'E12', detail: 'blocked' }, { detail: 'other' }] }, 'E12', 'blocked'],
    [{ type: 'about:blank', title: 'Refused', detail: 'blocked' }, null, 'blocked'],
    [{ error: 'blocked' }, null, 'blocked'],
    [{ error: 'invalid_request', error_description: 'blocked' }, null, 'blocked'],
  ])('shows the reason of an error of another form: %j', async (body, code, message) => {
    const service = await stubService((response) => json(response, 422, body))
    expect(await testClient(service).send(lock, { idempotencyKey: 'k' })).toMatchObject({ error: { code, message } })
  })

  test('does not follow a redirect', async () => {
    const service = await stubService((response) => void response.writeHead(307, { location: '/elsewhere' }).end())
    const sent = await testClient(service).send(lock, { idempotencyKey: 'k' })
    expect(sent).toMatchObject({ outcome: 'unknown', error: { status: 307, code: 'REDIRECTED' } })
    expect(service.received).toHaveLength(1)
  })

  test.each(['announced', 'not announced'])(
    'refuses more than 10 MiB, %s, with RESPONSE_TOO_LARGE, once',
    async (kind) => {
      const large = Buffer.alloc(10 * 1024 * 1024 + 1, ' ')
      const service = await stubService((response) => {
        if (kind === 'announced') response.setHeader('content-length', large.length)
        response.write(large.subarray(1))
        response.end(large.subarray(0, 1))
      })
      const sent = await testClient(service).send(lock, { idempotencyKey: 'k' })
      expect(sent).toMatchObject({
        outcome: 'unknown',
        error: { code: 'RESPONSE_TOO_LARGE', status: 200, attempts: 1 },
      })
    },
  )

  test('reads a response of just under 10 MiB', async () => {
    const service = await stubService((response) =>
      json(response, 200, { ...card, padding: 'x'.repeat(10 * 1024 * 1024 - 5000) }),
    )
    expect(await testClient(service).send(lock, { idempotencyKey: 'k' })).toMatchObject({ outcome: 'accepted' })
  })

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'RESPONSE_UNREADABLE'],
    ['a body that breaks off', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{', 'CONNECTION_LOST'],
    ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`, 'RESPONSE_TOO_LARGE'],
    [
      'two lengths that differ',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}}',
      'RESPONSE_UNREADABLE',
    ],
    ['nothing', '', 'CONNECTION_LOST'],
  ])('takes %s on the wire as a failure and not as an answer', async (_, bytes, code) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(bytes))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const client = testClient({ baseUrl: `http://127.0.0.1:${port}/v1` }, { retry: { attempts: 1 } })
    const sent = await client.send(lock, { idempotencyKey: 'k' })
    expect(sent).toMatchObject({ outcome: 'unknown', error: { code, status: null } })
    expect(inspect(sent, { depth: 9 })).not.toContain('OpenSSH')
  })
})
