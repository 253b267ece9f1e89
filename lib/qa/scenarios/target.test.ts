import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openTarget } from './target.ts'

/** A target at a server of its own, and the paths that the server was asked for. */
async function serve(controlPath: string | null) {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end('opened')
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
