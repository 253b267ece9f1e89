import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { asc, eq, sql } from 'drizzle-orm'
import { ensureDemoStaff } from '#lib/auth/staff.ts'
import { connect, database } from '#lib/db/connection.ts'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { migrateDatabase } from '#lib/db/migrate.ts'
import { settleUnknownOperations } from '#lib/operations/settle-due.ts'
import { registerAccessKey } from '#lib/service/access-keys.ts'
import { respondToService } from '#lib/service/listener.ts'
import { seedService } from '#lib/service/seed/seed.ts'
import { runningService } from '#lib/service/service.ts'
import { cards } from '#lib/service/tables/cards.ts'
import { startServiceWork } from '#lib/service/work.ts'
import { sendResponse, toRequest } from '#lib/shared/http-exchange.ts'
import { applyInbox } from '../inbox/apply.ts'
import { receiveDelivery } from '../inbox/receive.ts'
import { type CardTask, performCardTask } from './cards.ts'
import { reportReady } from './report-ready.ts'

/**
 * The whole of Carddesk but for its pages, in a process that is killed: the embedded PostgreSQL, the built-in service with
 * its deliveries, the console's inbox, and staff who lock and unlock a card, one operation after the other. Each line that
 * begins with "done" acknowledges one.
 */
export type KillTask = Pick<CardTask, 'id' | 'kind'>

const { FOLDER = '', PORT = '', PUBLIC_KEY = '', TASKS = '[]', CARD_ID } = process.env
const tasks = JSON.parse(TASKS) as KillTask[]

const { databaseUrl } = await startEmbeddedPostgres(FOLDER, { owner: `process ${process.pid}` })
process.env.DATABASE_URL = databaseUrl
await migrateDatabase(databaseUrl)
await ensureDemoStaff(database())
const service = runningService()
await registerAccessKey(service.db, {
  id: process.env.SERVICE_SANDBOX_ACCESS_KEY ?? '',
  name: 'console',
  publicKeyPem: PUBLIC_KEY,
})
const { seededCardAccounts: cardAccounts, cardNumberKey, consoleInboxUrl } = service.settings
await seedService(service.db, { cardAccounts, cardNumberKey, consoleInboxUrl, now: new Date() })
await endLeasesOfTheDead()
const [card] = await service.db
  .select()
  .from(cards)
  .where(CARD_ID ? eq(cards.id, CARD_ID) : eq(cards.status, 'active'))
  .orderBy(asc(cards.id))
  .limit(1)
if (!card) throw new Error('there is no active card')
const { cardAccountId, id: cardId } = card

const server = createServer(async (message, response) => {
  if (respondToService(message, response, service)) return
  await sendResponse(message, response, await receiveDelivery(toRequest(message, response), 'sandbox'))
})
await new Promise<void>((resolve) => server.listen(Number(PORT), '127.0.0.1', resolve))
startServiceWork(service)
void repeat(settleUnknownOperations)
void repeat(applyInbox)
reportReady(databaseUrl, cardId)

for (const task of tasks) process.stdout.write(`${await performUntilSettled(task)} ${task.id}\n`)
process.stdout.write('finished\n')

/** Retries in the same dialog until a definite result comes back. What stands in its way is a line each time that it changes. */
async function performUntilSettled(task: KillTask): Promise<string> {
  let obstacle = ''
  for (;;) {
    const before = obstacle
    try {
      const { settledAt, state } = await performCardTask({ ...task, cardAccountId, cardId })
      if (settledAt) return state
      obstacle = `The operation is ${state}.`
    } catch (error) {
      // The database is away.
      obstacle = String(error)
    }
    if (obstacle !== before) process.stdout.write(`waiting: ${obstacle.replaceAll('\n', ' ')}\n`)
    await delay(50)
  }
}

async function repeat(work: () => Promise<void>): Promise<never> {
  for (;;) {
    await work().catch(() => undefined)
    await delay(200)
  }
}

/** Instead of waiting for the leases of killed processes to end. */
async function endLeasesOfTheDead(): Promise<void> {
  const db = connect(databaseUrl, { max: 1 })
  const ended = sql`clock_timestamp()`
  await db.execute(sql`
    update console.operations set lease_until = least(lease_until, ${ended}), next_settlement_at = least(next_settlement_at, ${ended})`)
  await db.execute(sql`update console.inbox_events set next_attempt_at = ${ended} where applied_at is null`)
  await db.execute(sql`update service.webhooks set leased_until = ${ended}, due_at = null where status <> 'removed'`)
  await db.$client.end()
}
