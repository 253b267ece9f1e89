import { createPrivateKey, randomUUID, type KeyObject } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { servicePrefix } from './service-settings.ts'
import { examples } from './testing-examples.ts'
import { openTestService, toTarget, type SendOptions, type TestResponse, type TestService } from './testing.ts'

let opened: TestService
let privateKey: KeyObject
beforeAll(async () => {
  opened = await openTestService({ seeded: 12 })
  privateKey = createPrivateKey(opened.caller.privateKeyPem)
})
afterAll(() => opened.close())

/** A request as it goes over the wire, before somebody alters it. */
type Prepared = { method: string; path: string; body: string | null }

async function prepare(name: EndpointName): Promise<Prepared> {
  const { method } = endpointRow(name)
  const example = await examples[name](opened)
  return { method, path: toTarget(name, example), body: method === 'POST' ? JSON.stringify(example.body) : null }
}

async function tokenFor({ method, path, body }: Prepared, claims: Record<string, unknown> = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({
    sub: opened.caller.accessKey,
    uri: `${servicePrefix}${path}`,
    method,
    body: sha256Hex(body ?? ''),
    iat: now,
    exp: now + 25,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256' })
    .sign(privateKey)
}

function send({ method, path, body }: Prepared, headers: Record<string, string>): Promise<TestResponse> {
  const options: SendOptions = {
    headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...headers },
  }
  return opened.send(method, path, body === null ? options : { ...options, body })
}

async function sendSigned(request: Prepared, claims: Record<string, unknown> = {}): Promise<TestResponse> {
  return send(request, { authorization: `Bearer ${await tokenFor(request, claims)}` })
}

/** Everything that the service remembers but for the counts and the log of requests. */
async function state(): Promise<unknown> {
  const { rows: tables } = await opened.service.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'service'
      and tablename not in ('rate_counts', 'request_log') order by 1`,
  )
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(row::text, '' order by row::text), '')) as digest from service.${name} row`,
  )
  return (await opened.service.db.execute(sql.raw(digests.join(' union all ')))).rows
}

async function expectNothingChanges(work: () => Promise<void>): Promise<void> {
  const before = await state()
  await work()
  expect(await state()).toEqual(before)
}

function expectError(response: TestResponse, status: number, code: string, message = ''): void {
  expect(response).toMatchObject({ status, json: { code, message: expect.stringContaining(message) } })
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
}

describe.each(endpointNames)('%s', (name) => {
  const row = endpointRow(name)

  test('responds to a signed request exactly by the contract', async () => {
    const response = await sendSigned(await prepare(name))
    expect(response.status, response.text).toBe(200)
    expect(row.response.parse(response.json)).toEqual(response.json)
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.get('content-type')).toContain('application/json')
  })

  test('refuses what is not signed by a known key, and changes nothing', async () => {
    const request = await prepare(name)
    const { accessKey } = opened.caller
    const token = await tokenFor(request)
    const unknown = randomUUID()
    await expectNothingChanges(async () => {
      for (const authorization of [
        '',
        'Bearer',
        'Bearer x.y.z',
        `Bearer ${token} ${token}`,
        `Digest ${token}`,
        `Basic ${btoa(`${unknown}:`)}`,
        `Basic ${btoa(`${accessKey}:secret`)}`,
        'Basic %%%',
        `Basic ${btoa(accessKey)}`,
        `Basic ${btoa(`${accessKey}:`)}!!!`,
        `Basic ${btoa(`${accessKey}:`).replace(/^(.{8})/, '$1*')}`,
        `Basic ${btoa(`${accessKey}::`)}`,
        `Bearer ${await tokenFor(request, { sub: unknown })}`,
        `Bearer ${await tokenFor(request, { sub: 'nobody' })}`,
      ]) {
        expectError(await send(request, { authorization }), 401, 'INVALID_ACCESS_KEY')
      }
      const unsigned = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${token.split('.')[1]}.`
      expectError(await send(request, { authorization: `Bearer ${unsigned}` }), 401, 'INVALID_SIGNATURE')
    })
  })

  test('refuses a request that is not the signed one, and names the claim that differs', async () => {
    const request = await prepare(name)
    const other = request.path.includes('?') ? `${request.path}&pageSize=1` : `${request.path}?pageSize=1`
    await expectNothingChanges(async () => {
      const authorization = `Bearer ${await tokenFor(request)}`
      expectError(await send({ ...request, path: other }, { authorization }), 401, 'INVALID_SIGNATURE', 'uri')
      expectError(await sendSigned(request, { uri: request.path }), 401, 'INVALID_SIGNATURE', 'uri')
      expectError(await sendSigned(request, { method: 'PUT' }), 401, 'INVALID_SIGNATURE', 'method')
      expectError(await sendSigned(request, { method: row.method.toLowerCase() }), 401, 'INVALID_SIGNATURE', 'method')
      expectError(await sendSigned(request, { body: sha256Hex('other') }), 401, 'INVALID_SIGNATURE', 'body')
      if (request.body !== null) {
        const altered = { ...request, body: `${request.body} ` }
        expectError(await send(altered, { authorization }), 401, 'INVALID_SIGNATURE', 'body')
      }
    })
  })

  test('refuses a token that expired, lives over 30 s or is from the future', async () => {
    const request = await prepare(name)
    const now = Math.floor(Date.now() / 1000)
    await expectNothingChanges(async () => {
      for (const claims of [
        { iat: now - 60, exp: now - 35 },
        { iat: now, exp: now + 31 },
        { iat: now + 60, exp: now + 85 },
        { iat: undefined },
        { exp: undefined },
      ]) {
        expectError(await sendSigned(request, claims), 401, 'TOKEN_EXPIRED')
      }
    })
  })

  test('refuses another method with 405 and the right one in Allow', async () => {
    const request = await prepare(name)
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => {
      return !endpointNames.some((each) => endpointRow(each).path === row.path && endpointRow(each).method === method)
    })
    await expectNothingChanges(async () => {
      for (const method of methods) {
        const response = await sendSigned({ ...request, method, body: method === 'GET' ? null : '{}' })
        expectError(response, 405, 'METHOD_NOT_ALLOWED')
        expect(response.headers.get('allow')?.split(', ')).toContain(row.method)
        expect((await send({ ...request, method, body: null }, { authorization: '' })).status).toBe(405)
      }
      expectError(await sendSigned({ ...request, path: `${request.path.split('?')[0]}/more` }), 404, 'NOT_FOUND')
    })
  })

  if (row.method === 'POST')
    test('refuses a malformed body, and changes nothing', async () => {
      const request = await prepare(name)
      await expectNothingChanges(async () => {
        for (const body of [
          '',
          '{',
          'null',
          '"text"',
          '[]',
          '[1',
          '{"a":"\\u0000"}',
          '{"__proto__":{}}',
          `${'['.repeat(10_000)}`,
        ]) {
          expectError(await sendSigned({ ...request, body }), 400, 'INVALID_PARAMETERS', ':')
        }
        const headers = { authorization: `Bearer ${await tokenFor(request)}`, 'content-type': 'text/plain' }
        expectError(await send(request, headers), 415, 'UNSUPPORTED_MEDIA_TYPE')
        expectError(await sendSigned({ ...request, body: `"${'x'.repeat(1024 * 1024)}"` }), 413, 'PAYLOAD_TOO_LARGE')
      })
    })

  if (row.query)
    test('refuses a query with a value too many', async () => {
      const request = await prepare(name)
      const [path = '', search = ''] = request.path.split('?')
      const query = new URLSearchParams(search)
      expect(query.size).toBeGreaterThan(0)
      for (const [key, value] of new URLSearchParams(search)) {
        const isList = query.getAll(key).length > 1
        if (isList) continue
        const twice = `${path}?${query}&${key}=${encodeURIComponent(value)}`
        expectError(
          await sendSigned({ ...request, path: twice }),
          400,
          'INVALID_PARAMETERS',
          `${key}: must be given once`,
        )
        const nul = `${path}?${query}&${key}=%00`
        expectError(await sendSigned({ ...request, path: nul }), 400, 'INVALID_PARAMETERS', key)
      }
      if (query.has('pageSize')) {
        expectError(
          await sendSigned({ ...request, path: `${request.path}&pageToken=x` }),
          400,
          'INVALID_PARAMETERS',
          'pageToken',
        )
      }
    })
})
