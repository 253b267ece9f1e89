import { setTimeout as delay } from 'node:timers/promises'
import { database } from '#lib/db/connection.ts'
import { applyRules, deleteExpired } from '#lib/db/retention.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { logFailure, logResealed } from './log.ts'
import { performDueWork } from './perform-due-work.ts'
import { resealStored } from './reseal.ts'
import { retentionRules } from './retention.ts'
import { keepSandboxes, listServicesInSandboxes, type SandboxKeeper } from './sandboxes/sandboxes.ts'
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
  return startWork(service, { listening, keeper: keepSandboxes(service, (inside) => startWork(inside, { listening })) })
}

type WorkOptions = { listening: Promise<void> | undefined; keeper?: SandboxKeeper }

function startWork(service: Service, { listening, keeper }: WorkOptions): () => Promise<void> {
  const stopping = new AbortController()
  const work = run(service, keeper, stopping.signal)
  const stopDeliveries = startDeliveries(service, listening)
  return async () => {
    stopping.abort()
    await Promise.all([work, stopDeliveries()])
    await keeper?.stop()
  }
}

async function run(service: Service, keeper: SandboxKeeper | undefined, signal: AbortSignal): Promise<void> {
  let pauseMs = shortestPauseMs
  let deleteAt = 0
  let isResealed = service.settings.previousCardNumberKey === null || !keeper
  while (!signal.aborted) {
    try {
      const performed = await performDueWork(service.db)
      pauseMs = performed > 0 ? shortestPauseMs : Math.min(longestPauseMs, pauseMs * 1.25)
      if (!isResealed) {
        logResealed(await resealAll(service))
        isResealed = true
      }
      await keeper?.tend()
      if (Date.now() >= deleteAt) {
        deleteAt = Date.now() + deleteEveryMs
        await (keeper ? applyRules : deleteExpired)(service.db, retentionRules)
      }
    } catch (error) {
      logFailure(error, { work: 'poll' })
      pauseMs = longestPauseMs * 10
    }
    await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

async function resealAll(service: Service): Promise<number> {
  let rows = await resealStored(service)
  for (const inside of await listServicesInSandboxes(service)) rows += await resealStored(inside)
  return rows
}
