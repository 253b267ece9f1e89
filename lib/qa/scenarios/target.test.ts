import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openTarget } from './target.ts'

const pem = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n'

/** A target at a server of its own, and the paths that the server was asked for. */
async function serve(controlPath: string | null, { status = 200, text = 'opened' } = {}) {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(status).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = openTarget({
    baseUrl: `${origin}/service/v1`,
    controlUrl: controlPath && `${origin}${controlPath}`,
    accessKey: '5a0d0b0e-0000-4000-8000-000000000001',
    privateKey: null,
    webhookKey: null,
  })
  onTestFinished(async () => {
    await target.close()
    server.close()
  })
  return { target, asked, origin }
}

test('a link of a sandbox is opened where the sandbox is reached, whatever origin it has for itself', async () => {
  const { target, asked } = await serve('/service/control')
  const link = 'http://sandbox:3000/service/v1/secure-content/x?y=1'
  expect(await target.open(link)).toEqual({ status: 200, text: 'opened' })
  expect(asked).toEqual(['/service/v1/secure-content/x?y=1'])
  for (const other of [
    'http://sandbox:3000/service/control/reset',
    'http://sandbox:3000/service/v1',
    '/service/v1/x',
  ]) {
    await expect(target.open(other)).rejects.toThrow(
      /^Only links below http:\/\/127\.0\.0\.1:\d+\/service\/v1 are opened/,
    )
  }
  expect(asked).toHaveLength(1)
})

test('a link of a service without a control plane is opened at its own origin alone', async () => {
  const { target, asked, origin } = await serve(null)
  await expect(target.open('https://elsewhere.example/service/v1/x')).rejects.toThrow('Only links below')
  expect(await target.open(`${origin}/service/v1/x`)).toMatchObject({ status: 200 })
  expect(asked).toEqual(['/service/v1/x'])
})

test.each([
  [200, pem, pem],
  [200, 'a page', null],
  [404, '', null],
  [403, '', null],
])('a control plane that responds with %s to the question for its webhook key: %j', async (status, text, key) => {
  const { target } = await serve('/service/control', { status, text })
  expect(await target.webhookKey()).toBe(key)
})

test.each([500, 502, 503, 429])('a %s leaves open whether there is a webhook key', async (status) => {
  const { target } = await serve('/service/control', { status })
  await expect(target.webhookKey()).rejects.toThrow(
    `/service/v1 did not say whether it has a key of webhooks: HTTP ${status}.`,
  )
})
