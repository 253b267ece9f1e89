import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { respondToService } from './listener.ts'

const connectedUrl = 'https://sandbox.example.com/v1'

test.each([
  ['GET', '/service/v1/ping'],
  ['GET', '/service/v1/openapi.json'],
  ['GET', '/service/docs'],
  ['POST', '/service/control/reset'],
])('while a real service is connected, %s %s is a 404 that says why', async (method, path) => {
  vi.stubEnv('BUILT_IN_SERVICE', 'off')
  vi.stubEnv('SERVICE_SANDBOX_URL', connectedUrl)
  const server = createServer((message, response) => void respondToService(message, response)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method })
  expect(response.status).toBe(404)
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(await response.json()).toEqual({
    code: 'NOT_FOUND',
    message: 'The built-in service is off, because SERVICE_SANDBOX_URL connects another one. Send the request there.',
  })
})
