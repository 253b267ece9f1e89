import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { handleDocs } from './docs/handle.ts'
import { handleSwitchedOff } from './openapi.ts'

const connectedUrl = 'https://sandbox.example.com/v1'

beforeEach(() => {
  const { BUILT_IN_SERVICE, SERVICE_SANDBOX_URL } = process.env
  onTestFinished(() => {
    for (const [name, value] of Object.entries({ BUILT_IN_SERVICE, SERVICE_SANDBOX_URL })) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  Object.assign(process.env, { BUILT_IN_SERVICE: 'off', SERVICE_SANDBOX_URL: connectedUrl })
})

const call = (path: string, method = 'GET') =>
  handleSwitchedOff(new Request(`http://127.0.0.1:3000${path}`, { method }), undefined)

test('the OpenAPI document describes the connected service', async () => {
  const response = await call('/service/v1/openapi.json')
  expect(response.status).toBe(200)
  const document = await response.json()
  expect(document.servers).toEqual([{ url: connectedUrl, description: 'The connected sandbox service' }])
  expect(document.paths).toHaveProperty('/cards/lock')
})

test('the docs describe calls of the connected service, not of the built-in one', async () => {
  const response = await handleDocs(new Request('http://127.0.0.1:3000/service/docs'))
  expect(response.status).toBe(200)
  const page = await response.text()
  expect(page).toContain(`<code>${connectedUrl}</code>`)
  expect(page).toContain('npm run service -- --env sandbox GET /ping')
  expect(page).toContain('<article id="lockCard">')
  expect(page).not.toContain('access file')
})

test.each([
  ['GET', '/service/v1/ping'],
  ['POST', '/service/v1/openapi.json'],
  ['POST', '/service/control/reset'],
])('%s %s is a 404 that says why', async (method, path) => {
  const response = await call(path, method)
  expect(response.status).toBe(404)
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(await response.json()).toEqual({
    code: 'NOT_FOUND',
    message: `The built-in service is off, because SERVICE_SANDBOX_URL connects ${connectedUrl}. Send the request there.`,
  })
})
