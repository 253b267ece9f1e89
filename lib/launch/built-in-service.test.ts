import { expect, test } from 'vitest'
import { callLine } from './built-in-service.ts'

test('the line that calls the service is one that the service takes', () => {
  const line = (acceptsBasic: boolean) =>
    callLine('http://127.0.0.1:3000/service/v1', '/data/access.json', { acceptsBasic })
  expect(line(true)).toMatch(/^curl -u .*'\/data\/access\.json'\):" http:\/\/127\.0\.0\.1:3000\/service\/v1\/ping$/)
  expect(line(false)).toBe("DATA_DIR='/data' npm run --silent service -- GET /ping")
})
