import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { endpoints } from '#lib/contract/endpoints.ts'
import { testService } from './testing.ts'

test('the OpenAPI document needs no authentication and has every endpoint and a request id', async () => {
  const { send } = await testService()
  const response = await send('GET', '/openapi.json', { headers: { authorization: '' } })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(response.json.servers).toMatchObject([{ url: 'http://service.test/service/v1' }])
  expect(Object.keys(response.json.paths)).toEqual([...new Set(Object.values(endpoints).map(({ path }) => path))])
  expect(await new Validator().validate(response.json)).toEqual({ valid: true })
})
