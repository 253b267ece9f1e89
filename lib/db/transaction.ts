import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { PoolClient } from 'pg'
import { findSlots, type Database, type Queryable, type Transaction } from './connection.ts'
import { isGivenUp } from './errors.ts'

const attempts = 5

export type TransactionOptions = {
  isolationLevel?: 'repeatable read'
  /** Aborted when the result is no longer needed: work that has not started is then skipped. */
  signal?: AbortSignal | undefined
}

/**
 * Runs `work` in a transaction and commits it; whatever `work` throws is rolled back and thrown again. Repeats `work` when
 * PostgreSQL gave the transaction up for another one (deadlock, serialization failure), so `work` must not change anything
 * outside the transaction. The connection always goes back to the pool, also when BEGIN or ROLLBACK fails.
 */
export async function inTransaction<Value>(
  db: Database,
  work: (tx: Transaction) => Promise<Value>,
  { isolationLevel, signal }: TransactionOptions = {},
): Promise<Value> {
  const runOnClient = () =>
    withClient(db, async (client, discard) => {
      signal?.throwIfAborted()
      const tx = transactionOn(client)
      const value = await transact(client, discard, isolationLevel, () => {
        afterCommits.delete(tx)
        return work(tx)
      })
      for (const run of afterCommits.get(tx) ?? []) run(db)
      return value
    })
  return findSlots(db).run(runOnClient, signal)
}

/** Lends a connection of the pool to `work`. The pool closes it afterwards if `work` has called `discard`. */
async function withClient<Value>(
  db: Database,
  work: (client: PoolClient, discard: () => void) => Promise<Value>,
): Promise<Value> {
  const client = await db.$client.connect()
  let isBroken = false
  try {
    return await work(client, () => (isBroken = true))
  } finally {
    client.release(isBroken)
  }
}

const limitNames = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** Lends a connection without the time limits of its pool, for work that rightly takes minutes: seeding, moving the clock. */
export function withUnlimitedClient<Value>(
  db: Database,
  work: (client: PoolClient, discard: () => void) => Promise<Value>,
): Promise<Value> {
  return withClient(db, async (client, discard) => {
    try {
      await client.query(limitNames.map((name) => `set ${name} = 0`).join('; '))
      return await work(client, discard)
    } finally {
      await client.query(limitNames.map((name) => `reset ${name}`).join('; ')).catch(discard)
    }
  })
}

/** A transaction without the time limits of its pool, repeated as `inTransaction` repeats one. */
export function inUnlimitedTransaction<Value>(
  db: Database,
  work: (client: PoolClient) => Promise<Value>,
  { isolationLevel }: Pick<TransactionOptions, 'isolationLevel'> = {},
): Promise<Value> {
  return withUnlimitedClient(db, (client, discard) => transact(client, discard, isolationLevel, () => work(client)))
}

const afterCommits = new WeakMap<Queryable, Set<(db: Database) => void>>()

/** Calls `run` once after the commit of the transaction, however often it was registered; never after a rollback. */
export function afterCommit(tx: Queryable, run: (db: Database) => void): void {
  const registered = afterCommits.get(tx) ?? new Set()
  afterCommits.set(tx, registered.add(run))
}

/** Runs `work` between BEGIN and COMMIT. Repeats it when PostgreSQL gave it up for another transaction; throws every other error. */
async function transact<Value>(
  client: PoolClient,
  discard: () => void,
  isolationLevel: TransactionOptions['isolationLevel'],
  work: () => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin')
      const value = await work()
      await client.query('commit')
      return value
    } catch (error) {
      await client.query('rollback').catch(discard)
      if (attempt === attempts || !isGivenUp(error)) throw error
    }
  }
}

const dialect = new PgDialect()
const transactions = new WeakMap<PoolClient, Transaction>()

/** A connection that is in a transaction. One object for all its transactions, so that statements prepared on it stay prepared. */
export function transactionOn(client: PoolClient): Transaction {
  const cached = transactions.get(client)
  if (cached) return cached
  const created: Transaction = new NodePgTransaction(dialect, new NodePgSession(client, dialect, undefined), undefined)
  transactions.set(client, created)
  return created
}
