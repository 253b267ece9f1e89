import { createPublicKey, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { webhookSignatureHeader } from '#lib/contract/events.ts'
import { testDatabase } from '#lib/db/testing.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'
import { readWebhookPrivateKey, readWebhookPublicKeyPem, createSigner } from './signer.ts'
import { type Resolve, httpTransport, type Attempted, type DeliveryProblem } from './transport.ts'

const sandbox = { acceptsLoopbackWebhooks: true }
const strict = { acceptsLoopbackWebhooks: false }
const unsigned = async () => 'signature'
const body = JSON.stringify({
  id: randomUUID(),
  event: 'ping',
  data: { name: '陳大文' },
  time: new Date().toISOString(),
})

type Seen = { headers: IncomingHttpHeaders; method: string | undefined; bytes: Buffer }

/** A receiver on the loopback address. */
type Reply = { status: number; headers?: Record<string, string>; body?: string; endsNever?: boolean }

async function receiver(reply: (request: Seen) => Reply | null) {
  const seen: Seen[] = []
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const entry = { headers: request.headers, method: request.method, bytes: Buffer.concat(chunks) }
    seen.push(entry)
    const received = reply(entry)
    if (!received) return
    response.writeHead(received.status, received.headers).write(received.body ?? '')
    if (!received.endsNever) response.end()
  }
  const port = await listen(createServer(listener))
  return { seen, port, url: `http://127.0.0.1:${port}/hook?from=desk` }
}

async function listen(
  server: Pick<Server, 'listen' | 'address' | 'close'> & { closeAllConnections?: () => void },
): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => {
    server.closeAllConnections?.()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function send(transport: ReturnType<typeof httpTransport>, url: string): Promise<Attempted> {
  return transport({ url, body, signal: new AbortController().signal })
}

const taken = { taken: true, status: 200, problem: null, response: null }
const notTaken = (problem: DeliveryProblem, status: number | null = null) => ({
  taken: false,
  status,
  problem,
  ...(status !== null && { response: null }),
})

/** The addresses that this process began to connect to. */
function watchConnections(): string[] {
  const begun: string[] = []
  const { emit } = Socket.prototype
  vi.spyOn(Socket.prototype, 'emit').mockImplementation(function (this: Socket, ...[event, ...rest]: unknown[]) {
    if (event === 'connectionAttempt') begun.push(`${String(rest[0])}:${String(rest[1])}`)
    return Reflect.apply(emit, this, [event, ...rest])
  })
  return begun
}

afterEach(() => void vi.restoreAllMocks())

test('a delivery is a POST of the raw bytes, whose signature the public key of the service verifies', async () => {
  const store = { db: await testDatabase(), settings: { cardNumberKey: Buffer.alloc(32, 7) } }
  const { seen, url } = await receiver(() => ({ status: 200 }))
  const transport = httpTransport(
    sandbox,
    createSigner(() => readWebhookPrivateKey(store)),
  )
  expect(await send(transport, url)).toEqual(taken)
  const [request] = seen
  expect(request?.method).toBe('POST')
  expect(request?.bytes.toString()).toBe(body)
  expect(request?.headers['content-type']).toBe('application/json')
  const signature = request?.headers[webhookSignatureHeader]
  const publicKey = createPublicKey(await readWebhookPublicKeyPem(store))
  expect(verifyWebhook(request?.bytes ?? '', String(signature), publicKey)).toBe(true)
  expect(verifyWebhook(`${body} `, String(signature), publicKey)).toBe(false)
})

test('a host of the settings is found as the system finds it, also in a hosts file, and no other is', async () => {
  const { seen, url } = await receiver(() => ({ status: 200 }))
  const policy = { acceptsLoopbackWebhooks: false, webhookHosts: ['app'] }
  const transport = httpTransport(policy, unsigned, {
    resolve: () => Promise.reject(new Error('the name server does not know it')),
    resolveOwn: async (hostname) => (hostname === 'app' ? ['127.0.0.1'] : []),
  })
  const { port } = new URL(url)
  expect(await send(transport, `http://app:${port}/hooks`)).toEqual(taken)
  expect(await send(transport, `https://other.example:${port}/hooks`)).toEqual(notTaken('NO_CONNECTION'))
  expect(seen).toHaveLength(1)
})

test('a replay whose fields have another order has the signature of its own bytes', async () => {
  const { privateKey, publicKey } = testKeyPair
  const { seen, url } = await receiver(() => ({ status: 200 }))
  const transport = httpTransport(
    sandbox,
    createSigner(async () => readPrivateKey(privateKey)),
  )
  const { signal } = new AbortController()
  const { id, ...rest } = JSON.parse(body)
  for (const sent of [
    { id, ...rest },
    { ...rest, id },
  ])
    await transport({ url, body: JSON.stringify(sent), signal })
  const signatures = seen.map(({ headers }) => String(headers[webhookSignatureHeader]))
  expect(new Set(signatures).size).toBe(2)
  for (const [place, { bytes }] of seen.entries()) {
    expect(verifyWebhook(bytes, signatures[place] ?? '', createPublicKey(publicKey))).toBe(true)
  }
})

test('a body is signed once, however often it is sent, and again once it has long been forgotten', async () => {
  let reads = 0
  const sign = createSigner(async () => {
    reads += 1
    if (reads === 1) throw new Error('the database is away')
    return readPrivateKey(testKeyPair.privateKey)
  })
  await expect(sign(body)).rejects.toThrow('the database is away')
  const first = sign(body)
  expect(sign(body)).toBe(first)
  for (let place = 0; place < 256; place += 1) await sign(String(place))
  const again = sign(body)
  expect(again).not.toBe(first)
  expect(await again).toBe(await first)
  expect(reads).toBe(2)
})

test.each([201, 202, 204, 304, 400, 404, 410, 429, 500, 503])('%i is no success', async (status) => {
  const { seen, url } = await receiver(() => ({ status }))
  expect(await send(httpTransport(sandbox, unsigned), url)).toEqual(notTaken('HTTP_STATUS', status))
  expect(seen).toHaveLength(1)
})

test('the beginning of a response is kept, without card numbers; one that never ends holds nothing up', async () => {
  const body = `no such card 4111111111111111 ${'x'.repeat(50_000)}`
  const { url } = await receiver(() => ({ status: 500, body }))
  const { response = null } = await send(httpTransport(sandbox, unsigned), url)
  expect(response).toHaveLength(1000)
  expect(response).not.toContain('4111111111111111')
  const slow = await receiver(() => ({ status: 200, body: 'ok', endsNever: true }))
  const began = performance.now()
  expect(await send(httpTransport(sandbox, unsigned), slow.url)).toEqual({ ...taken, response: 'ok' })
  expect(performance.now() - began).toBeLessThan(3000)
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) is no success and is not followed', async (status) => {
  const target = await receiver(() => ({ status: 200 }))
  const { url } = await receiver(() => ({ status, headers: { location: target.url } }))
  expect(await send(httpTransport(sandbox, unsigned), url)).toEqual(notTaken('HTTP_STATUS', status))
  expect(target.seen).toEqual([])
})

test('an endpoint that does not respond in time has failed, and so has a closed port', async () => {
  const silent = await receiver(() => null)
  const impatient = httpTransport(sandbox, unsigned, { timeoutMs: 500 })
  expect(await send(impatient, silent.url)).toEqual(notTaken('TIMEOUT'))
  expect(await send(impatient, silent.url)).toEqual(notTaken('TIMEOUT'))
  // What timed out is not sent again by the connection that takes its place.
  expect(silent.seen).toHaveLength(2)
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  expect(await send(httpTransport(sandbox, unsigned), `http://127.0.0.1:${port}/`)).toEqual(notTaken('NO_CONNECTION'))
})

const hostile = [
  '0.0.0.0',
  '10.0.0.5',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2001:0:a00:1::',
  '2002:a00:1::',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'not an address',
]

test.each(hostile)(
  'a name that leads to %s is not connected to, also where it leads to a public address too',
  async (address) => {
    const begun = watchConnections()
    for (const addresses of [[address], ['93.184.216.34', address], [address, '2606:4700:4700::1111']]) {
      for (const scheme of ['https', 'http']) {
        const transport = httpTransport(strict, unsigned, { resolve: async () => addresses, timeoutMs: 2000 })
        expect(await send(transport, `${scheme}://hooks.example/`)).toEqual(notTaken('ADDRESS_REFUSED'))
      }
    }
    expect(begun).toEqual([])
  },
)

test('private addresses are not connected to where loopback is accepted either', async () => {
  const begun = watchConnections()
  const transport = httpTransport(sandbox, unsigned, { resolve: async () => ['10.0.0.5'] })
  expect(await send(transport, 'http://hooks.example/')).toEqual(notTaken('ADDRESS_REFUSED'))
  expect(begun).toEqual([])
})

const literals = [
  'https://10.0.0.5/',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://0251.0376.0251.0376/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[fd00:ec2::254]/',
  'https://127.0.0.1/',
  'http://93.184.216.34/',
]

test.each(literals)('the literal %s is neither looked up nor connected to', async (url) => {
  const begun = watchConnections()
  const resolve = vi.fn<Resolve>()
  expect(await send(httpTransport(strict, unsigned, { resolve }), url)).toEqual(notTaken('ADDRESS_REFUSED'))
  expect(resolve).not.toHaveBeenCalled()
  expect(begun).toEqual([])
})

test('connects to the very address that was checked, with the name of the webhook; a name that is bound again is checked again', async () => {
  const { seen, port } = await receiver(() => ({ status: 200, headers: { connection: 'close' } }))
  const begun = watchConnections()
  const replies = [['127.0.0.1'], ['169.254.169.254'], []]
  const resolve = vi.fn<Resolve>(async () => replies.shift() ?? [])
  const transport = httpTransport(sandbox, unsigned, { resolve })
  const url = `http://hooks.example:${port}/`
  expect(await send(transport, url)).toEqual(taken)
  expect(seen[0]?.headers.host).toBe(`hooks.example:${port}`)
  expect(await send(transport, url)).toEqual(notTaken('ADDRESS_REFUSED'))
  expect(await send(transport, url)).toEqual(notTaken('ADDRESS_REFUSED'))
  expect(resolve).toHaveBeenCalledTimes(3)
  expect(begun.filter((address) => address.endsWith(`:${port}`))).toEqual([`127.0.0.1:${port}`])
})

test('the console’s inbox is delivered to on loopback where nothing else there is, not even its other paths', async () => {
  const { seen, url, port } = await receiver(() => ({ status: 200 }))
  const inbox = `http://127.0.0.1:${port}/inbox`
  const transport = httpTransport({ ...strict, consoleInboxUrl: inbox }, unsigned)
  expect(await send(transport, inbox)).toEqual(taken)
  const named = `http://localhost:${port}/inbox`
  expect(await send(httpTransport({ ...strict, consoleInboxUrl: named }, unsigned), named)).toEqual(taken)
  for (const other of [url, `${inbox}/more`, `${inbox}?a=1`, named, `http://127.0.0.1:${port + 1}/inbox`])
    expect(await send(transport, other)).toEqual(notTaken('ADDRESS_REFUSED'))
  expect(seen).toHaveLength(2)
})

test('TLS goes on naming the host of the webhook, and a receiver without its certificate gets nothing', async () => {
  const names: string[] = []
  const server = createTlsServer({
    SNICallback: (name, callback) => {
      names.push(name)
      callback(new Error('no certificate'))
    },
  })
  const port = await listen(server as never)
  const transport = httpTransport(sandbox, unsigned, { resolve: async () => ['127.0.0.1'] })
  expect(await send(transport, `https://hooks.example:${port}/`)).toEqual(notTaken('NO_CONNECTION'))
  expect(names).toEqual(['hooks.example'])
})

test('localhost is loopback without a lookup', async () => {
  const { seen, port } = await receiver(() => ({ status: 200 }))
  expect(await send(httpTransport(sandbox, unsigned), `http://hooks.localhost:${port}/`)).toEqual(taken)
  expect(await send(httpTransport(strict, unsigned), `http://hooks.localhost:${port}/`)).toEqual(
    notTaken('ADDRESS_REFUSED'),
  )
  expect(seen).toHaveLength(1)
})
