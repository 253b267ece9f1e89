import { expect, test } from 'vitest'
import { isHostOrigin } from './embed-origins.ts'

test.each([
  'https://*.example.com',
  'https://help.example.com/',
  'https://help.example.com/path',
  'http://help.example.com',
  'https:',
  '*',
  'null',
  "'self'",
  'https://help.example.com;script-src *',
  'https://help.example.com https://other.example.com',
  'https://"help".example.com',
])('%s is no origin of a host', (text) => {
  expect(isHostOrigin(text)).toBe(false)
})
