import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { nodeArguments } from '#lib/shared/testing/npm-script.ts'
import { readPublicKey } from '#lib/signing/keys.ts'
import { verifyRequest } from '#lib/signing/request-token.ts'
import { testKeyPair } from '#lib/signing/testing.ts'

const accessKey = '6f1de4a0-6a7e-4f9b-9d3c-2f1f9f0a3b4c'
const run = promisify(execFile)

/** A service that verifies the token of each request, and says what it verified. */
async function verifyingService(publicKey: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const verified = await verifyRequest({
      token: (request.headers.authorization ?? '').replace('Bearer ', ''),
      method: request.method ?? '',
      uri: request.url ?? '',
      body,
      now: Date.now() / 1000,
      findPublicKey: async () => readPublicKey(publicKey),
    })
    const key = request.headers['x-once']
    response.setHeader('x-correlation-id', 'c-1')
    response.end(
      JSON.stringify({ ...(key && { key }), verified: verified.ok && verified.value.accessKey, url: request.url }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function service(args: string[], variables: Record<string, string>) {
  const env = { PATH: process.env.PATH, NODE_ENV: 'test' as const, ...variables }
  try {
    return { code: 0, ...(await run(process.execPath, [...nodeArguments('service'), ...args], { env })) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

test('--env sandbox signs a request to the connected service, and prints nothing but the response', async () => {
  const { publicKey, privateKey } = testKeyPair
  const url = await verifyingService(publicKey)
  const connected = {
    SERVICE_SANDBOX_URL: url,
    SERVICE_SANDBOX_ACCESS_KEY: accessKey,
    SERVICE_SANDBOX_PRIVATE_KEY: privateKey,
  }
  const got = await service(['--env', 'sandbox', 'GET', '/fees?pageSize=1'], connected)
  expect(got.code, got.stderr).toBe(0)
  expect(JSON.parse(got.stdout)).toEqual({ verified: accessKey, url: '/v1/fees?pageSize=1' })
  const posted = await service(['POST', '/cards/lock', '{"cardId":"x"}', '--env', 'sandbox'], connected)
  expect(JSON.parse(posted.stdout)).toEqual({ verified: accessKey, url: '/v1/cards/lock' })

  const missing = await service(['--env', 'production', 'GET', '/ping'], connected)
  expect(missing).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^production is not connected\. Set SERVICE_PRODUCTION_URL, .*\n$/),
  })
  const away = { ...connected, SERVICE_SANDBOX_URL: 'http://127.0.0.1:9/v1' }
  const unreachable = await service(['--env', 'sandbox', 'GET', '/ping'], away)
  expect(unreachable.code).toBe(2)
  expect(unreachable.stderr).toMatch(/^http:\/\/127\.0\.0\.1:9\/v1 cannot be reached: .*\n$/)
})

test('the headers have the names that the connected service has for them', async () => {
  const { publicKey, privateKey } = testKeyPair
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-names-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const names = path.join(folder, 'names.json')
  writeFileSync(
    names,
    JSON.stringify({ sandbox: { headers: { idempotencyKey: 'x-once', requestId: 'x-correlation-id' } } }),
  )
  const got = await service(['--env', 'sandbox', 'POST', '/payouts', '{}', '--idempotency-key', 'try-1'], {
    SERVICE_SANDBOX_URL: await verifyingService(publicKey),
    SERVICE_SANDBOX_ACCESS_KEY: accessKey,
    SERVICE_SANDBOX_PRIVATE_KEY: privateKey,
    SERVICE_NAMES_FILE: names,
  })
  expect(got.code, got.stderr).toBe(0)
  expect(JSON.parse(got.stdout)).toMatchObject({ key: 'try-1' })
  expect(got.stderr).toContain('request c-1')
})

test('--help prints the usage and exits with 0', async () => {
  expect(await service(['--help'], {})).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /) })
})
