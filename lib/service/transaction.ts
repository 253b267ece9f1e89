import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { PoolClient } from 'pg'
import type { Database, Transaction } from '#lib/db/connection.ts'
import { rootCause } from './log.ts'
import { ringAfterCommit } from './webhooks/bell.ts'

const serializationFailure = '40001'
const deadlockDetected = '40P01'
const attempts = 5

/** Runs work in a transaction, and again when PostgreSQL gave it up for another one (deadlock, serialization). */
export async function inTransaction<Value>(db: Database, work: (tx: Transaction) => Promise<Value>): Promise<Value> {
  const client = await db.$client.connect()
  let isBroken = false
  try {
    return await retryingGivenUp(async () => {
      try {
        await client.query('begin')
        const value = await work(transactionOn(client))
        await client.query('commit')
        ringAfterCommit(db, transactionOn(client))
        return value
      } catch (error) {
        await client.query('rollback').catch(() => (isBroken = true))
        throw error
      }
    })
  } finally {
    client.release(isBroken)
  }
}

/** Does again what PostgreSQL gave up for another transaction; everything else that is thrown goes through. */
export async function retryingGivenUp<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !isGivenUp(error)) throw error
    }
  }
}

const dialect = new PgDialect()
const transactions = new WeakMap<PoolClient, Transaction>()

/** One object a connection, for all its transactions, so that statements prepared on it stay prepared. */
function transactionOn(client: PoolClient): Transaction {
  const known = transactions.get(client)
  if (known) return known
  const made: Transaction = new NodePgTransaction(dialect, new NodePgSession(client, dialect, undefined), undefined)
  transactions.set(client, made)
  return made
}

function isGivenUp(error: unknown): boolean {
  const code = (rootCause(error) as { code?: unknown }).code
  return code === serializationFailure || code === deadlockDetected
}
