import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { endpoints } from '#lib/contract/endpoints.ts'
import { testService } from './testing.ts'

test('anybody gets the OpenAPI document of the service, with every endpoint and a request id', async () => {
  const { send } = await testService()
  const answer = await send('GET', '/openapi.json', { headers: { authorization: '' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.json.servers).toMatchObject([{ url: 'http://service.test/service/v1' }])
  expect(Object.keys(answer.json.paths)).toEqual([...new Set(Object.values(endpoints).map(({ path }) => path))])
  expect(await new Validator().validate(answer.json)).toEqual({ valid: true })
})
