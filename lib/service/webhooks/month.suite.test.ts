import { expect, test } from 'vitest'
import { testDatabase } from '#lib/db/testing.ts'
import { liveThrough } from './testing-month.ts'

test('days of webhooks that are well, shaky or dead: every event once, in order; the dead are removed', async () => {
  const { attempts, removed } = await liveThrough(await testDatabase(), { days: 5, count: 20 })
  expect(attempts).toBeGreaterThan(17 * 5 * 24)
  expect(removed).toBe(3)
}, 60_000)
