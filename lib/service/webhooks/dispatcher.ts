import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#lib/db/connection.ts'
import { secondMs } from '#lib/shared/time.ts'
import { logFailure } from '../log.ts'
import { eventIn, logAttempt } from './attempt-log.ts'
import { pingBody } from './message.ts'
import { claimDue, readHeads, release, settle, type Claim, type Head, type Settlement } from './queue.ts'
import { afterAttempt, attemptedAt, isPinged } from './schedule.ts'
import { deliveryTimeoutMs, type Attempted, type Transport } from './transport.ts'
import type { WakeSignal } from './wake-signal.ts'

/** Longer than an attempt can take, so that a lease ends only under a process that has died. */
const leaseMs = deliveryTimeoutMs + 5 * secondMs
/** Attempts under way at once, each at another webhook: this many dead endpoints do not slow the others. */
const slots = 512
/** An attempt that runs longer than this is at an endpoint that is slow or hangs. */
const freshMs = secondMs

/** While the clock is moved: how long an endpoint that timed out has for each of its next attempts, and how many of these it gets. */
const shortTimeoutMs = 250
const shortAttempts = 4

/** Makes attempts at deliveries. What they come to is written down by `settleFinished`, several at once. */
export type Dispatcher = {
  /** Writes down what has finished since the last call. */
  settleFinished: () => Promise<void>
  /** Starts an attempt at each webhook that has something due; returns how many. `movedFrom`: see `attemptedAt`. */
  startDue: (movedFrom?: Date) => Promise<number>
  /** Attempts whose end is not written down yet; those of the running ones that began just now are `fresh`. */
  pending: () => { running: number; fresh: number; finished: number }
  /** Breaks off what is still running; its leases end without a trace, and the messages stay in their queues. */
  breakOff: () => Promise<void>
}

export function openDispatcher(options: {
  db: Database
  transport: Transport
  /** Woken when an attempt has finished. */
  wakeSignal: WakeSignal
  holdsClockLock: boolean
}): Dispatcher {
  const { db, transport, wakeSignal, holdsClockLock } = options
  const breaking = new AbortController()
  const running = new Map<Promise<void>, number>()
  /** Endpoints whose last attempt timed out while the clock was moved, with the number of such attempts in a row. */
  const timeouts = new Map<string, number>()
  let finished: Settlement[] = []
  let brokenOff: Claim[] = []

  async function attempt(claim: Claim, message: Message, movedFrom: Date | null): Promise<void> {
    try {
      const began = performance.now()
      const attempted = await attemptWithin(timeLimit(claim.url), claim.url, message)
      if (!attempted.taken && breaking.signal.aborted) return void brokenOff.push(claim)
      const settlement = toSettlement(claim, message, attempted.taken, movedFrom)
      finished.push(settlement)
      logAttempt(db, toAttempt(claim, message, attempted, settlement, performance.now() - began))
    } catch (error) {
      // Nothing was sent. The lease ends by itself, and the attempt is made then.
      logFailure(error, { work: 'webhook deliveries' })
    }
  }

  /**
   * Null: the transport's own limit. Days of sandbox time hold hundreds of attempts at an endpoint that hangs, but only
   * moments of real time, in which it hardly recovers: after its first time-out it gets a few short attempts, then none.
   */
  function timeLimit(url: string): number | null {
    const count = timeouts.get(url)
    if (!holdsClockLock || count === undefined) return null
    return count <= shortAttempts ? shortTimeoutMs : 0
  }

  async function attemptWithin(limitMs: number | null, url: string, { body }: Message): Promise<Attempted> {
    if (limitMs === 0) return timedOut
    const limit = limitMs === null ? null : AbortSignal.timeout(limitMs)
    const signal = limit ? AbortSignal.any([breaking.signal, limit]) : breaking.signal
    const sending = transport({ url, body, signal })
    // A connection that is being opened is not broken off by the signal.
    const attempted = limitMs === null ? await sending : await Promise.race([sending, delay(limitMs, timedOut)])
    const isTimeout = attempted.problem === 'TIMEOUT' || (!attempted.taken && limit?.aborted)
    if (isTimeout) timeouts.set(url, (timeouts.get(url) ?? 0) + 1)
    else timeouts.delete(url)
    return attempted
  }

  return {
    async settleFinished() {
      const settling = finished
      finished = []
      try {
        await settle(db, settling)
      } catch (error) {
        finished = [...settling, ...finished]
        throw error
      }
    },

    async startDue(movedFrom) {
      const limit = slots - running.size
      if (limit <= 0) return 0
      const claims = await claimDue(db, { limit, leaseMs, holdsClockLock })
      const heads = await readHeads(
        db,
        claims.filter((claim) => !isPinged(claim)),
      )
      const messages = new Map(heads.map((head) => [head.webhookId, head]))
      const idle: Claim[] = []
      for (const claim of claims) {
        const message = toMessage(claim, messages.get(claim.id))
        if (!message) {
          idle.push(claim)
          continue
        }
        const run = attempt(claim, message, movedFrom ?? null).finally(() => {
          running.delete(run)
          wakeSignal.wake()
        })
        running.set(run, performance.now())
      }
      await settle(db, idle.map(withoutMessage))
      return claims.length - idle.length
    },

    pending() {
      const now = performance.now()
      const fresh = [...running.values()].filter((startedAt) => now - startedAt < freshMs).length
      return { running: running.size, fresh, finished: finished.length }
    },

    async breakOff() {
      breaking.abort()
      await Promise.allSettled(running.keys())
      await settle(db, finished)
      await release(db, brokenOff)
      finished = []
      brokenOff = []
    },
  }
}

const timedOut: Attempted = { taken: false, status: null, problem: 'TIMEOUT' }

/** The message of an attempt: the head of the queue, or a ping, which is in no queue. */
type Message = { id: string; body: string; position: number | null }

function toMessage(claim: Claim, head: Head | undefined): Message | null {
  if (head) return { id: head.eventId, body: head.body, position: head.position }
  if (!isPinged(claim) || !claim.pingId || !claim.dueAt) return null
  return { id: claim.pingId, body: pingBody(claim.pingId, claim.dueAt), position: null }
}

function toAttempt(
  claim: Claim,
  { id: eventId, body, position }: Message,
  { status, problem, response = null }: Attempted,
  { succeededAt, failedAt, dueAt }: Settlement,
  durationMs: number,
) {
  return {
    webhookId: claim.id,
    eventId,
    event: eventIn(body),
    kind: position === null ? ('ping' as const) : ('delivery' as const),
    attempt: claim.attempts + 1,
    at: succeededAt ?? failedAt ?? claim.now,
    status,
    problem,
    durationMs: Math.round(durationMs),
    response,
    nextAt: dueAt,
  }
}

function toSettlement(claim: Claim, message: Message, succeeded: boolean, movedFrom: Date | null): Settlement {
  const at = attemptedAt(claim.dueAt, claim.now, movedFrom)
  const state = afterAttempt(claim, { succeeded, at })
  return {
    ...state,
    id: claim.id,
    leaseId: claim.leaseId,
    pingId: isPinged(state) ? randomUUID() : null,
    heldBy: heldByAfter(claim, message, succeeded),
    delivered: succeeded ? message.position : null,
    succeededAt: succeeded ? at : null,
    failedAt: succeeded ? null : at,
  }
}

/** A message that is no longer in the queue holds nothing back: the webhook waits for the next one. */
function withoutMessage(claim: Claim): Settlement {
  const next = isPinged(claim) ? {} : { attempts: 0, dueAt: null, heldBy: null }
  return { ...claim, ...next, delivered: null, succeededAt: null, failedAt: null }
}

/** A message that failed stays the first of its queue until it is delivered, also while pings are sent. */
function heldByAfter(claim: Claim, { position }: Message, succeeded: boolean): number | null {
  if (position === null) return claim.heldBy
  return succeeded ? null : position
}
