import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { WebhookStatus } from '#lib/contract/webhooks.ts'
import type { Database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { readSandboxNow } from '../clock.ts'
import { recordEvent } from '../events.ts'
import { advanceClock } from '../perform-due-work.ts'
import type { Service } from '../service.ts'
import { webhookMessages, webhooks } from '../tables/webhooks.ts'
import { makeDeliveries } from './deliveries.ts'
import { initialPing } from './message.ts'
import { attempted } from './testing-attempts.ts'
import type { Attempt, Transport } from './transport.ts'

type Received = { id: string; event: string; data: { number?: number }; time: string }

/** Receivers without sockets: what came to each address, in order, and how each of them responds. */
export type Receivers = {
  transport: Transport
  /** Decides about the next attempts at an address; without it everything is taken. */
  response: (url: string, response: (received: Received, attempt: Attempt) => boolean | Promise<boolean>) => void
  /** Every attempt at an address. */
  attempts: (url: string) => (Received & { body: string; taken: boolean })[]
}

export function openReceivers(): Receivers {
  const responses = new Map<string, (received: Received, attempt: Attempt) => boolean | Promise<boolean>>()
  const log = new Map<string, (Received & { body: string; taken: boolean })[]>()
  const attemptsAt = (url: string) => {
    const known = log.get(url) ?? []
    log.set(url, known)
    return known
  }
  return {
    async transport(attempt) {
      const { url, body } = attempt
      const received: Received = JSON.parse(body)
      const entry = { ...received, body, taken: false }
      attemptsAt(url).push(entry)
      entry.taken = await (responses.get(url)?.(received, attempt) ?? true)
      return attempted(entry.taken)
    },
    response: (url, response) => void responses.set(url, response),
    attempts: attemptsAt,
  }
}

/** A webhook as `POST /webhooks` makes one; `status` other than `created` goes without the initial ping. */
export async function addWebhook(
  db: Database,
  url: string,
  { events = ['*'], status = 'created' }: { events?: string[]; status?: WebhookStatus } = {},
): Promise<string> {
  const id = randomUUID()
  const now = await readSandboxNow(db)
  await db.insert(webhooks).values({ id, name: url, url, status, events, createdAt: now })
  if (status === 'created') await db.insert(webhookMessages).values(initialPing(id, now))
  return id
}

/** An event with free data. */
export const numberedEvent = 'cardaccount.transaction.verification-code-delivered'

/** Records events in a transaction of their own; `data` has their numbers. */
export async function recordNumbered(db: Database, numbers: readonly number[]): Promise<void> {
  const now = await readSandboxNow(db)
  await inTransaction(db, async (tx) => {
    for (const number of numbers) await recordEvent({ db: tx, now }, numberedEvent, { number })
  })
}

/** Moves the clock as the control plane does. */
export function advance(service: Service, byMs: number): Promise<{ now: Date; performed: number }> {
  return advanceClock(service.db, { byMs }, { deliveries: makeDeliveries(service) })
}

/** As if the process that holds leases had died, and their time had passed. */
export async function endLeases(db: Database): Promise<void> {
  await db.execute(sql`update service.webhooks set leased_until = clock_timestamp() where lease_id is not null`)
}
