import { Client, type Pool } from 'pg'
import { type Caller, currentCaller } from '#lib/shared/caller.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { secondMs } from '#lib/shared/time.ts'
import { CallerBusy } from './errors.ts'
import { createSlots, type Slots } from './slots.ts'

const turnTimeoutMs = 5 * secondMs
const turns = processWide<Map<string, Slots>>('carddeskTurns', () => new Map())

/**
 * The turns of one caller: a limited number of queries at once, the others wait. Throws `CallerBusy` after five
 * seconds. `name` is the caller's, known to the console or the service, so their number is bounded.
 */
export function turnsOf(name: string, atOnce: number): Slots['take'] {
  const existing = turns().get(name)
  if (existing) return existing.take
  const slots = createSlots(atOnce, { timeoutMs: turnTimeoutMs, onTimeout: () => new CallerBusy() })
  turns().set(name, slots)
  return slots.take
}

const reading = /^\s*(select|with)\b/i
/** Beyond this, a statement runs to its time limit: cancelling takes a connection of its own. */
const cancellationsAtOnce = 2

/**
 * Makes the SELECT statements of a pool wait for the caller's turn, and end when the caller has left: those that wait never
 * begin, and PostgreSQL cancels the one that is running. They throw the reason of the caller's signal.
 */
export function serveCallers(pool: Pool): void {
  const query = pool.query.bind(pool) as Query
  pool.query = ((...statement: unknown[]) => {
    const caller = currentCaller()
    return caller && reading.test(textOf(statement[0])) ? run(pool, statement, caller) : query(...statement)
  }) as typeof pool.query
}

type Query = (...statement: unknown[]) => Promise<unknown>

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : ((statement as { text?: string } | null)?.text ?? '')
}

async function run(pool: Pool, statement: unknown[], { signal, takeTurn }: Caller): Promise<unknown> {
  const endTurn = await takeTurn?.(signal)
  try {
    return await runInTurn(pool, statement, signal)
  } finally {
    endTurn?.()
  }
}

async function runInTurn(pool: Pool, statement: unknown[], signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted()
  const client = await pool.connect()
  let cancelling: Promise<void> | undefined
  const onAbort = () => {
    cancelling = cancel(pool, (client as typeof client & { processID: number }).processID)
  }
  let isBroken = false
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', onAbort, { once: true })
    return await (client.query as Query).call(client, ...statement)
  } catch (error) {
    signal.throwIfAborted()
    // As `pool.query` has it: an error of the connection, not of the statement.
    isBroken = !(error instanceof Error && 'severity' in error)
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Waits, so that it is never the next statement of this connection that is cancelled.
    await cancelling
    client.release(isBroken)
  }
}

let cancellations = 0

/** Never rejects: a statement that is not cancelled ends by its time limit. */
async function cancel(pool: Pool, processId: number): Promise<void> {
  if (cancellations >= cancellationsAtOnce) return
  cancellations += 1
  const client = new Client({ ...pool.options, connectionTimeoutMillis: secondMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select pg_cancel_backend($1)', [processId])
  } catch {
    // The database is away, and the statement with it.
  } finally {
    await client.end().catch(() => undefined)
    cancellations -= 1
  }
}
