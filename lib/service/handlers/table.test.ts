import { expect, test } from 'vitest'
import { testService } from '../testing.ts'

test('returns pong to everyone who is authenticated', async () => {
  const { call } = await testService()
  expect(await call('ping')).toMatchObject({ status: 200, json: { message: 'pong' } })
  expect(await call('ping', { headers: { authorization: '' } })).toMatchObject({
    status: 401,
    json: { code: 'INVALID_ACCESS_KEY' },
  })
})
