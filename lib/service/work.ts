import { setTimeout as delay } from 'node:timers/promises'
import { database } from '#lib/db/connection.ts'
import { applyRules } from '#lib/db/retention.ts'
import { mayNeedResealing } from '#lib/shared/sealing.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { logFailure, logResealed } from './log.ts'
import { performDueWork } from './perform-due-work.ts'
import { resealStored } from './reseal.ts'
import { retentionRules } from './retention.ts'
import { runningService, type Service } from './service.ts'
import { startDeliveries } from './webhooks/deliveries.ts'

const shortestPauseMs = 250
const longestPauseMs = 500
const deleteEveryMs = 5 * minuteMs

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
  let deleteAt = 0
  let isResealed = !mayNeedResealing(service.settings.previousCardNumberKey)
  while (!signal.aborted) {
    try {
      const performed = await performDueWork(service.db)
      pauseMs = performed > 0 ? shortestPauseMs : Math.min(longestPauseMs, pauseMs * 1.25)
      if (!isResealed) {
        logResealed(await resealStored(service))
        isResealed = true
      }
      if (Date.now() >= deleteAt) {
        deleteAt = Date.now() + deleteEveryMs
        await applyRules(service.db, retentionRules)
      }
    } catch (error) {
      logFailure(error, { work: 'poll' })
      pauseMs = longestPauseMs * 10
    }
    await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
