import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { prefetch, read } from './prefetch.tsx'

const desk = shareConsole({ seeded: 1 })

test('a page that is refused says so, however long the audit entry of that takes', async () => {
  // Next sets it from next.config.mjs when it builds.
  vi.stubEnv('__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS', 'true')
  onTestFinished(() => void vi.unstubAllEnvs())
  await desk.signIn('viewer')
  const before = await desk.db.$count(auditEntries)
  let isAnswered = false
  const refused = inTransaction(desk.db, async (tx) => {
    await tx.execute(sql`lock table ${auditEntries} in exclusive mode`)
    const answer = prefetch('', read('listStaff', 'sandbox')).catch((error: unknown) => error)
    void answer.then(() => (isAnswered = true))
    // Longer than a page waits for its reads.
    await delay(3_000)
    expect(isAnswered).toBe(false)
    return { answer }
  })
  expect(await (await refused).answer).toMatchObject({ digest: 'NEXT_HTTP_ERROR_FALLBACK;403' })
  expect(await desk.db.$count(auditEntries)).toBe(before + 1)
})
