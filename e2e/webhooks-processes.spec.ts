import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { expectStatus, openCard } from './card-screen.ts'
import { expect, expectLive, test as base } from './fixtures.ts'
import { startServer, type StartedServer } from './server.ts'
import { createServiceCaller, findCard } from './service-caller.ts'
import { signInByCookie } from './sign-in-by-cookie.ts'

/** Two processes with the same keys on one PostgreSQL. Events are delivered to the first: the seed registered its inbox. */
const test = base.extend<{ processes: [StartedServer, StartedServer] }>({
  processes: async ({}, use) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-processes-'))
    const postgres = await startEmbeddedPostgres(path.join(dataDir, 'database'))
    const settings = { DATABASE_URL: postgres.databaseUrl, SANDBOX_RATE_LIMIT_PER_MINUTE: '0' }
    const started: StartedServer[] = []
    try {
      const first = await startServer({ settings, dataDir })
      started.push(first)
      const second = await startServer({ settings, dataDir })
      started.push(second)
      await use([first, second])
    } finally {
      for (const server of started) await server.stop()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
})

test('two processes on one PostgreSQL: an event that one receives changes the page of a browser at the other', async ({
  processes: [first, second],
  browser,
}) => {
  test.setTimeout(120_000)
  const service = createServiceCaller(first.access)
  const { body } = await service.get('/webhooks')
  const addresses = (body as { webhooks: { url: string }[] }).webhooks.map(({ url }) => url)
  expect(addresses).toEqual([`http://127.0.0.1:${first.port}/api/webhooks/inbox/sandbox`])

  const context = await browser.newContext({ baseURL: second.url })
  const page = await context.newPage()
  await signInByCookie(page, 'viewer')
  const ids = await findCard(service, 'active')
  await openCard(page, ids)
  await expectLive(page)
  await page.evaluate(() => Reflect.set(window, 'isSamePage', true))
  const delays: number[] = []
  for (const [act, label] of [
    ['lock', 'Locked'],
    ['unlock', 'Active'],
    ['lock', 'Locked'],
  ] as const) {
    const began = Date.now()
    expect((await service.post(`/cards/${act}`, ids)).status).toBe(200)
    await expectStatus(page, label)
    delays.push(Date.now() - began)
  }
  // Without live updates a page asks again every 15 seconds.
  expect(Math.min(...delays)).toBeLessThan(3000)
  expect(await page.evaluate(() => Reflect.get(window, 'isSamePage') as boolean)).toBe(true)
  expect(new URL(page.url()).port).toBe(String(second.port))

  await page.goto('/sandbox/webhooks/inbox')
  const events = page.getByRole('row').filter({ hasText: 'card.updated' })
  await expect(events).toHaveCount(3)
  await service.post('/cards/unlock', ids)
  await expect(events).toHaveCount(4)
  await context.close()
})
