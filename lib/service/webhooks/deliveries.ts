import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { secondMs } from '#lib/shared/time.ts'
import { logFailure } from '../log.ts'
import type { Service } from '../service.ts'
import { openDispatcher, type Dispatcher } from './dispatcher.ts'
import { readQueueState } from './queue.ts'
import { readWebhookPrivateKey, createSigner } from './signer.ts'
import { httpTransport, type Transport } from './transport.ts'
import { createWakeSignal, addWakeSignal } from './wake-signal.ts'

/** Events of this process wake it; messages of one that has died, retries and pings are found by polling. */
const pollMs = 250
/** While the clock is moved: how soon the work of other processes is noticed. */
const watchMs = 10
/** How long running attempts may take when the process stops. */
const timeoutMs = 2 * secondMs

/** Delivers in the background of this process until the returned function is called, which waits for its end. */
export function startDeliveries(service: Service, after?: Promise<void>): () => Promise<void> {
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')
  const wakeSignal = createWakeSignal()
  const takeDown = addWakeSignal(service.db, wakeSignal)
  const transport = findTransport(service)
  const dispatcher = openDispatcher({ db: service.db, transport, wakeSignal, holdsClockLock: false })
  const work = run()
  async function run(): Promise<void> {
    await Promise.race([after, stopped])
    while (!stopping.signal.aborted) {
      try {
        await dispatcher.settleFinished()
        if (!stopping.signal.aborted) await dispatcher.startDue()
        if (dispatcher.pending().finished === 0) await wakeSignal.wait(pollMs)
      } catch (error) {
        logFailure(error, { work: 'webhook deliveries' })
        await delay(secondMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      }
    }
    await finish(dispatcher)
  }
  return async () => {
    stopping.abort()
    wakeSignal.wake()
    takeDown()
    await work
  }
}

async function finish(dispatcher: Dispatcher): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (dispatcher.pending().running > 0 && Date.now() < deadline) await delay(watchMs)
  await dispatcher.breakOff()
}

/** The part of deliveries that moving the clock uses. */
export type Deliveries = {
  /**
   * Attempts everything that is due by the clock as it is, and what follows from it. An endpoint that takes long to
   * respond is not waited for: its webhook falls behind and catches up, each attempt counting for the time it was due at,
   * while the clock goes on for the others. `isLast` waits until nothing is due or under way in any process. Returns how many
   * attempts were made, and when the next one is due.
   */
  performDue: (move: { movedFrom: Date; isLast: boolean }) => Promise<{ performed: number; nextDueAt: Date | null }>
}

/** How long to wait at first for attempts of other processes that started before the clock was moved. */
const elsewhereMs = secondMs

/** For a caller that holds the clock lock exclusively. */
export function makeDeliveries(service: Service): Deliveries {
  const wakeSignal = createWakeSignal()
  const transport = findTransport(service)
  const dispatcher = openDispatcher({ db: service.db, transport, wakeSignal, holdsClockLock: true })
  const openedAt = performance.now()
  return {
    async performDue({ movedFrom, isLast }) {
      const awaited = () => dispatcher.pending()[isLast ? 'running' : 'fresh']
      const waitsForOthers = () => isLast || performance.now() - openedAt < elsewhereMs
      // Signalled at a due time, so that it mostly finds something.
      let performed = await dispatcher.startDue(movedFrom)
      for (;;) {
        if (awaited() > 0) await wakeSignal.wait(watchMs)
        if (dispatcher.pending().finished > 0) await dispatcher.settleFinished()
        const { isDue, underWay, nextDueAt } = await readQueueState(service.db)
        if (isDue) performed += await dispatcher.startDue(movedFrom)
        const { running, finished } = dispatcher.pending()
        if (awaited() > 0 || finished > 0) continue
        const isUnderWayElsewhere = underWay > running && waitsForOthers()
        if (!isDue && !isUnderWayElsewhere) return { performed, nextDueAt }
        await delay(watchMs)
      }
    },
  }
}

const transports = globalSingleton<WeakMap<Service, Transport>>('carddeskWebhookTransports', () => new WeakMap())

/** The service's own transport. */
export function findTransport(service: Service): Transport {
  if (service.transport) return service.transport
  const cached = transports().get(service)
  if (cached) return cached
  const sign = createSigner(() => readWebhookPrivateKey(service))
  const made = httpTransport(service.settings, sign)
  transports().set(service, made)
  return made
}
