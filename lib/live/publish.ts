import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import { database, type Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { changes } from '#lib/tables/changes.ts'
import type { Change } from './types.ts'

/** The channel on which processes notify each other of new rows; the change itself is in the table. */
export const changesChannel = 'carddesk_changes'

/**
 * Writes changes in the caller's transaction: they are published when it commits. The lock makes ids commit in their order, so
 * that a reader of one has missed none before it; call this last.
 */
export async function writeChanges(tx: Transaction, environment: Environment, about: readonly Change[]): Promise<void> {
  const once = distinct(about)
  if (once.length === 0) return
  await lockByName(tx, 'live changes')
  await tx.insert(changes).values({ environment, about: once, at: sql`clock_timestamp()` })
  await tx.execute(sql`select pg_notify(${changesChannel}, '')`)
}

type Waiting = { about: Map<Environment, Change[]>; writing: Promise<void> | null }
const waiting = globalSingleton<Waiting>('carddeskNotifications', () => ({ about: new Map(), writing: null }))

type Batch = { about: Map<Environment, Change[]>; isOpen: boolean }
const batches = new AsyncLocalStorage<Batch>()

/** Publishes changes to every open page of every process. Never fails and never waits for the write. */
export function publish(environment: Environment, about: readonly Change[]): void {
  const batch = batches.getStore()
  const { about: collected } = batch?.isOpen ? batch : waiting()
  collected.set(environment, [...(collected.get(environment) ?? []), ...about])
  if (!batch?.isOpen) waiting().writing ??= writeWaiting().finally(() => (waiting().writing = null))
}

/**
 * Runs work and publishes all of its changes in one message when it ends. Work that continues afterwards publishes
 * separately.
 */
export async function publishTogether<Result>(work: () => Promise<Result>): Promise<Result> {
  const batch: Batch = { about: new Map(), isOpen: true }
  try {
    return await batches.run(batch, work)
  } finally {
    batch.isOpen = false
    for (const [environment, changed] of batch.about) publish(environment, changed)
  }
}

/** Waits until everything published by this process is written. */
export async function notificationsWritten(): Promise<void> {
  await waiting().writing
}

/** Changes published during a write are sent with the next one. */
async function writeWaiting(): Promise<void> {
  const { about: collected } = waiting()
  await Promise.resolve()
  for (let next = collected.entries().next(); !next.done; next = collected.entries().next()) {
    const [environment, about] = next.value
    collected.delete(environment)
    await inTransaction(database(), (tx) => writeChanges(tx, environment, about)).catch((error: unknown) =>
      logFailure(error, { while: 'announcing a change' }),
    )
  }
}

function distinct(about: readonly Change[]): Change[] {
  return [...new Map(about.map((change) => [JSON.stringify(change), change])).values()]
}
