import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { callControl } from '#lib/qa/scenarios/control-plane.ts'
import { openTarget, type Target } from '#lib/qa/scenarios/target.ts'
import { serveBuiltInService } from '#lib/qa/scenarios/testing.ts'
import { nodeArguments } from '#lib/shared/testing/npm-script.ts'
import { readPublicKey } from '#lib/signing/keys.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'

const run = promisify(execFile)
const listen = nodeArguments('listen')
const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-listen-'))
const env = { PATH: process.env.PATH, NODE_ENV: 'test' as const, DATA_DIR: folder }

let served: Awaited<ReturnType<typeof serveBuiltInService>>
let target: Target
beforeAll(async () => {
  served = await serveBuiltInService()
  target = openTarget(served.connection)
  const { baseUrl, controlUrl, accessKey, privateKey } = served.connection
  const privateKeyFile = path.join(folder, 'key.pem')
  writeFileSync(privateKeyFile, privateKey)
  writeFileSync(
    path.join(folder, 'service-access.json'),
    JSON.stringify({ baseUrl, controlUrl, accessKey, privateKeyFile }),
  )
})
afterAll(async () => {
  await target.close()
  await served.close()
})

const emit = (name: string) =>
  callControl<{ id: string }>(target, 'POST /events', { body: { event: 'card.updated', data: { name } } })

/** A receiver that takes every signed delivery; `received` are the names in their data. */
async function receiver() {
  const key = readPublicKey((await target.webhookKey()) ?? '')
  const received: string[] = []
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>).catch(() => [])
    const body = Buffer.concat(chunks)
    const isRight = verifyWebhook(body, String(request.headers['x-access-signature']), key)
    const { data } = (isRight ? JSON.parse(body.toString()) : {}) as { data?: { name?: string } }
    if (data?.name) received.push(data.name)
    response.writeHead(isRight ? 200 : 401).end(request.method === 'GET' ? 'the same state' : '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
}

test('forwards the history, then what happens, then what is sent again, and never prints the key', async () => {
  const { url, received } = await receiver()
  await emit('before everything')
  await callControl(target, 'POST /clock', { body: { advance: 'P2D' } })
  const first = await emit('first')
  await emit('second')
  const args = [...listen, '--forward', url, '--since', '1h', '--event', 'card.updated']
  const listening = spawn(process.execPath, args, { env })
  onTestFinished(() => void listening.kill('SIGKILL'))
  let output = ''
  for (const stream of [listening.stdout, listening.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const until = (names: string[]) =>
    vi.waitFor(() => expect(received, output).toEqual(names), { timeout: 20_000, interval: 50 })
  await until(['first', 'second'])
  await emit('third')
  await until(['first', 'second', 'third'])
  const webhook = target.prepareCall('createWebhook', { body: { url, events: ['cardaccount.created'] } })
  const { body } = await target.send(webhook, { endpoint: 'createWebhook' })
  const { id: webhookId } = body as { id: string }
  await callControl(target, 'POST /deliveries/replay', { body: { webhookId, eventId: first.id } })
  // Once by the replay itself, once by the listener.
  await until(['first', 'second', 'third', 'first', 'first'])
  listening.kill('SIGINT')
  const [code] = (await once(listening, 'exit')) as [number]
  expect(code).toBe(0)
  expect(output).toMatch(/history {2}card\.updated .* ✓ 200/)
  expect(output).toMatch(/live {5}card\.updated/)
  expect(output).toMatch(/resend {3}card\.updated/)
  expect(output).not.toMatch(/PRIVATE KEY|[A-Za-z0-9+/]{100}/)
})

test('--certify exits with 1 and names the defect, also in JUnit XML', async () => {
  const { url } = await receiver()
  const junit = path.join(folder, 'certified.xml')
  const args = [
    ...listen,
    '--forward',
    url,
    '--certify',
    '--state-url',
    `${url}{cardId}`,
    '--settle',
    '20',
    '--junit',
    junit,
  ]
  const done = await run(process.execPath, args, { env }).catch((error: { code: number; stdout: string }) => error)
  expect(done).toMatchObject({ code: 1 })
  expect(done.stdout).toContain('✗ An event that was taken has its effect (event-lost)')
  expect(done.stdout).toContain('It responds with 200, but its state is as before.')
  expect(readFileSync(junit, 'utf8')).toContain('<testcase name="An event that was taken has its effect (event-lost)"')
})

test('without a probe a right receiver exits with 0, and wrong options with 2', async () => {
  const { url } = await receiver()
  const command = (...args: string[]) =>
    run(process.execPath, [...listen, ...args], { env }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
    )
  expect(await command('--forward', url, '--certify')).toMatchObject({
    code: 0,
    text: expect.stringContaining('8 right, 0 wrong, 6 not checked'),
  })
  expect(await command('--certify')).toMatchObject({ code: 2, text: expect.stringContaining('Usage') })
  expect(await command('--forward', url, '--since', 'soon')).toMatchObject({
    code: 2,
    text: expect.stringContaining('--since must be a time such as 30m'),
  })
  expect(await command('--forward', url, '--event', 'card.updatd', '--since', 'soon')).toMatchObject({
    text: expect.stringContaining('Did you mean card.updated? Only POST /events sends'),
  })
  expect(await command('--forward', 'http://127.0.0.1:9/', '--certify')).toMatchObject({
    code: 2,
    text: expect.stringContaining('does not respond'),
  })
})
