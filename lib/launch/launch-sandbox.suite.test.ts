import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startServer, StartFailure, type StartedServer } from '#e2e/server.ts'
import { freePort } from '#lib/db/free-port.ts'
import { readPrivateKey, readPublicKey } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'
import { otherTestKeyPair, testKeyPair } from '#lib/signing/testing.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'

const accessKey = '5a0d0b0e-0000-4000-8000-000000000001'

let server: StartedServer
beforeAll(async () => {
  server = await startServer({
    flags: ['--sandbox'],
    settings: {
      HOST: '0.0.0.0',
      SANDBOX_ACCESS_KEY: accessKey,
      SANDBOX_CALLER_PUBLIC_KEY: testKeyPair.publicKey,
      SANDBOX_WEBHOOK_KEY: otherTestKeyPair.privateKey,
      SANDBOX_CLOCK: '2026-01-01T00:00:00Z',
      SANDBOX_WEBHOOK_HOSTS: '127.0.0.0/8',
      DEMO_CARD_ACCOUNTS: '0',
    },
  })
}, 120_000)
afterAll(() => server.stop())

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: unknown }

/** A request under any `Host`, with the fixed key where no other authorization is given. */
function send({ method = 'GET', path, headers = {}, body }: Sent): Promise<{ status: number; text: string }> {
  const authorization = `Basic ${Buffer.from(`${accessKey}:`).toString('base64')}`
  const sent = request({
    port: server.port,
    host: '127.0.0.1',
    method,
    path,
    headers: { host: 'carddesk:3000', authorization, 'content-type': 'application/json', ...headers },
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      void text(response).then((content) => resolve({ status: response.statusCode ?? 0, text: content }))
    })
  })
}

test('serves the interface, the control plane and the docs under any host name, and no console', async () => {
  const ready = await send({ path: '/api/health/ready' })
  const accounts = await send({ path: '/service/v1/cardaccounts' })
  const clock = await send({ path: '/service/control/clock' })
  const docs = await send({ path: '/service/docs' })
  expect([ready.status, accounts.status, clock.status, docs.status]).toEqual([200, 200, 200, 200])
  expect(JSON.parse(accounts.text)).toMatchObject({ cardaccounts: [] })
  expect(JSON.parse(clock.text).now).toMatch(/^2026-01-01T/)
  expect((await send({ path: '/sandbox/card-accounts' })).status).toBe(404)
  expect((await send({ path: '/service/v1/cardaccounts', headers: { authorization: '' } })).status).toBe(401)
})

test('accepts tokens of the caller’s own key, and says which clock judges them', async () => {
  const uri = '/service/v1/ping'
  const privateKey = readPrivateKey(testKeyPair.privateKey)
  const tokenAt = (now: number) => signRequest({ accessKey, privateKey, method: 'GET', uri, body: null, now })
  const call = async (now: number) => send({ path: uri, headers: { authorization: `Bearer ${await tokenAt(now)}` } })
  expect((await call(Date.now() / 1000)).status).toBe(200)
  const bySandboxClock = await call(Date.parse('2026-01-01T00:00:10Z') / 1000)
  expect(bySandboxClock.status).toBe(401)
  expect(bySandboxClock.text).toContain('Tokens are judged by real time')
})

test('takes one large body after the other of a known caller, and a few of anybody else', async () => {
  const statuses = async (headers: Record<string, string>) => {
    const seen: number[] = []
    while (seen.length < 12) {
      const upload = { method: 'POST', path: '/service/v1/cards/lock', headers, body: { note: 'x'.repeat(900_000) } }
      seen.push((await send(upload).catch(() => ({ status: 503 }))).status)
    }
    return new Set(seen)
  }
  expect(await statuses({ authorization: '' })).toEqual(new Set([401, 503]))
  expect(await statuses({})).toEqual(new Set([400]))
})

test('makes a sandbox of its own, with tokens for its path and a clock of its own', async () => {
  const made = await send({ method: 'POST', path: '/service/control/sandboxes', body: { ttl: 'PT10M' } })
  expect(made.status, made.text).toBe(200)
  const { baseUrl, controlUrl } = JSON.parse(made.text)
  const uri = new URL(`${baseUrl}/ping`).pathname
  const privateKey = readPrivateKey(testKeyPair.privateKey)
  const token = await signRequest({ accessKey, privateKey, method: 'GET', uri, body: null, now: Date.now() / 1000 })
  expect((await send({ path: uri, headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  const clock = new URL(`${controlUrl}/clock`).pathname
  const moved = await send({ method: 'POST', path: clock, body: { to: '2027-06-01T00:00:00Z' } })
  expect(moved.status, moved.text).toBe(200)
  expect(JSON.parse((await send({ path: clock })).text).now).toMatch(/^2027-06-01T/)
  expect(JSON.parse((await send({ path: '/service/control/clock' })).text).now).toMatch(/^2026-01-01T/)
})

test('delivers to a network of the settings, signed with the key of the settings', async () => {
  const received: { body: string; signature: string }[] = []
  const receiver = createServer((incoming, response) => {
    const signature = String(incoming.headers['x-access-signature'])
    void text(incoming)
      .then((body) => received.push({ body, signature }))
      .finally(() => response.end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  const created = await send({ method: 'POST', path: '/service/v1/webhooks', body: { url, name: 'a', events: ['*'] } })
  expect(created.status).toBe(200)
  await vi.waitFor(() => expect(received).not.toEqual([]), { timeout: 20_000 })
  const [first] = received
  const key = readPublicKey(otherTestKeyPair.publicKey)
  expect(verifyWebhook(first?.body ?? '', first?.signature ?? '', key)).toBe(true)
  const elsewhere = { url: 'http://10.0.0.9/hooks', name: 'b', events: ['*'] }
  expect((await send({ method: 'POST', path: '/service/v1/webhooks', body: elsewhere })).status).toBe(400)
})

test('a sandbox that another service replaces is not started, in one line', async () => {
  const settings = { SERVICE_SANDBOX_URL: 'https://cards.example.com/v1' }
  await expect(startServer({ flags: ['--sandbox'], settings })).rejects.toThrow(StartFailure)
})

test('ends when the parent that npm is was killed', { timeout: 120_000 }, async () => {
  const dataDir = `${server.dataDir}-orphan`
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const parent = spawn('sh', ['-c', `"${process.execPath}" lib/launch/start.mjs --sandbox; true`], {
    env: { ...process.env, npm_lifecycle_event: 'sandbox', PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  parent.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await vi.waitFor(() => expect(output).toContain('Ctrl C stops it.'), { timeout: 90_000 })
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/api/health/ready`).then(
      () => true,
      () => false,
    )
  expect(await isUp()).toBe(true)
  parent.kill('SIGKILL')
  await vi.waitFor(async () => expect(await isUp()).toBe(false), { timeout: 15_000 })
})
