import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { dayMs, minuteMs } from '#lib/shared/time.ts'
import { nowMs } from './clock.ts'
import { logFailure, logResealed } from './log.ts'
import { performDueWork } from './perform-due-work.ts'
import { deleteOldRequests } from './request-log/request-log.ts'
import { resealStored } from './reseal.ts'
import { runningService, type Service } from './service.ts'
import { storedForMs } from './steps/replay.ts'
import { startDeliveries } from './webhooks/deliveries.ts'

const shortestPauseMs = 250
const longestPauseMs = 500
const tidyEveryMs = 5 * minuteMs
const eventsRetentionMs = 90 * dayMs
const mostPerformedWork = 1000

/**
 * Performs due work and delivers events in the background of this process until the returned function is called, which
 * waits for its end. Deliveries begin once `listening` is fulfilled: the console's own inbox is one of the receivers.
 */
export function startServiceWork(
  service: Service = { ...runningService(), db: database('background') },
  { listening }: { listening?: Promise<void> } = {},
): () => Promise<void> {
  const stopping = new AbortController()
  const work = run(service, stopping.signal)
  const stopDeliveries = startDeliveries(service, listening)
  return async () => {
    stopping.abort()
    await Promise.all([work, stopDeliveries()])
  }
}

async function run(service: Service, signal: AbortSignal): Promise<void> {
  let pauseMs = shortestPauseMs
  let tidyAt = Date.now() + tidyEveryMs
  let isResealed = service.settings.previousCardNumberKey === null
  while (!signal.aborted) {
    try {
      const performed = await performDueWork(service.db)
      pauseMs = performed > 0 ? shortestPauseMs : Math.min(longestPauseMs, pauseMs * 1.25)
      if (!isResealed) {
        logResealed(await resealStored(service))
        isResealed = true
      }
      if (Date.now() >= tidyAt) {
        tidyAt = Date.now() + tidyEveryMs
        await tidy(service)
      }
    } catch (error) {
      logFailure(error, { work: 'poll' })
      pauseMs = longestPauseMs * 10
    }
    await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Deletes expired rows: counts of past minutes, dead tokens, responses stored longer than 24 h, events of past months. */
export async function tidy({ db }: Pick<Service, 'db'>): Promise<void> {
  await db.execute(sql`delete from service.rate_counts where minute < extract(epoch from clock_timestamp()) / 60 - 5`)
  // Some minutes more, since the clocks of the database and of the processes may differ.
  await db.execute(sql`delete from service.used_tokens where dead_at < clock_timestamp() - interval '5 minutes'`)
  await db.execute(
    sql`delete from service.idempotency where created_at <= to_timestamp((${nowMs} - ${storedForMs}) / 1000.0)`,
  )
  await db.execute(
    sql`delete from service.events where time <= to_timestamp((${nowMs} - ${eventsRetentionMs}) / 1000.0)`,
  )
  await deleteOldRequests(db)
  await db.execute(
    sql`delete from service.performed_work where id <= (select max(id) from service.performed_work) - ${mostPerformedWork}`,
  )
  // Recorded while their webhook was being removed.
  await db.execute(sql`
    delete from service.webhook_messages message using service.webhooks webhook
    where webhook.id = message.webhook_id and webhook.status = 'removed'`)
}
