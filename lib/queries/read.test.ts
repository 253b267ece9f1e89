import { afterEach, expect, test, vi } from 'vitest'
import { isWorthRetrying, ReadError, readJson } from './read.ts'
import { readQuery } from './reads.ts'

afterEach(() => vi.unstubAllGlobals())

const response = (body: string, status: number) =>
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(async () => new Response(body, { status, headers: { 'x-request-id': 'request-1' } })),
  )

test('a response is its JSON', async () => {
  response('{"rows":[]}', 200)
  expect(await readJson('/api/x')).toEqual({ rows: [] })
})

test('an error keeps its code, its sentence, its status and the request id to quote', async () => {
  response('{"code":"NOT_PERMITTED","message":"why"}', 403)
  await expect(readJson('/api/x')).rejects.toMatchObject({
    status: 403,
    code: 'NOT_PERMITTED',
    message: 'why',
    requestId: 'request-1',
  })
})

test('a page of a proxy in place of JSON, and no response at all, are clear errors', async () => {
  for (const status of [200, 502]) {
    response('<html>Bad gateway</html>', status)
    await expect(readJson('/api/x')).rejects.toMatchObject({ status, code: 'UNEXPECTED' })
  }
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(() => Promise.reject(new TypeError('fetch failed'))),
  )
  await expect(readJson('/api/x')).rejects.toMatchObject({ status: 0, code: 'CONSOLE_UNREACHABLE', requestId: null })
})

const failed = (status: number) => new ReadError(status, 'X', 'x', null)

test('final errors are not retried; failures are, twice', () => {
  expect([400, 401, 403, 404, 409].some((status) => isWorthRetrying(0, failed(status)))).toBe(false)
  expect([0, 500, 503].every((status) => isWorthRetrying(1, failed(status)))).toBe(true)
  expect(isWorthRetrying(2, failed(503))).toBe(false)
})

test.each(['listApprovals', 'readMyWork'] as const)('%s is not polled once it is forbidden', (name) => {
  const { refetchInterval } = readQuery(name, 'sandbox')
  const intervalAfter = (error: Error | null) =>
    typeof refetchInterval === 'function' && refetchInterval({ state: { data: undefined, error } } as never)
  expect(intervalAfter(null)).toBeGreaterThan(0)
  expect(intervalAfter(failed(503))).toBeGreaterThan(0)
  expect(intervalAfter(failed(403))).toBe(false)
})
