import { expect, test } from 'vitest'
import { builtInAccess } from './service-access.ts'

test('where there is no built-in service, the advice is what helps', () => {
  const nowhere = { DATA_DIR: '/nonexistent' }
  expect(() => builtInAccess(nowhere)).toThrow(/cannot be read\. Start the server with npm start, or set DATA_DIR/)
  expect(() => builtInAccess({ ...nowhere, SERVICE_SANDBOX_URL: 'https://cards.example.com/v1' })).toThrow(
    /is off while SERVICE_SANDBOX_URL connects https:\/\/cards\.example\.com\/v1\. Set DATA_DIR to/,
  )
})
