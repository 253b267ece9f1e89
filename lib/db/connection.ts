import { AsyncLocalStorage } from 'node:async_hooks'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Pool, types } from 'pg'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { secondMs } from '#lib/shared/time.ts'
import { PoolBusy } from './errors.ts'
import { createSlots, type Slots } from './slots.ts'

export type Database = NodePgDatabase<Record<string, never>> & { $client: Pool }
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
/** A pool or a transaction on it. */
export type Queryable = Database | Transaction

/** How long PostgreSQL lets a connection of a pool work, wait for a lock, or pause within a transaction; 0 is for ever. */
export type TimeLimits = { statementMs: number; lockMs: number; idleInTransactionMs: number }

export type ConnectOptions = {
  max?: number
  name?: string
  limits?: TimeLimits
}

const numericOid = 1700
const int8Oid = 20
const connectTimeoutMs = 10 * secondMs

/**
 * PostgreSQL ends the session of a process whose machine is gone within a minute and a half. Otherwise the locks by which one
 * process at a time reads the index would stay for the two hours of the system.
 */
const keepAlives = 'set tcp_keepalives_idle = 60; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3'

const noLimits: TimeLimits = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 }

/**
 * A pool of connections to one database. `numeric` stays the decimal text it is; `bigint` becomes a number, since
 * nothing here counts beyond 2^53.
 */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Database {
  const { max = 10, name = 'carddesk', limits = noLimits } = options
  const pool = new Pool({
    connectionString: databaseUrl,
    max,
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // Not as a parameter of the connection, which a pooler may refuse.
    onConnect: (client) => client.query(keepAlives),
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
        if (oid === numericOid) return (text: string) => text
        if (oid === int8Oid) return Number
        return types.getTypeParser(oid, format as 'text')
      }) as typeof types.getTypeParser,
    },
  })
  pool.on('error', () => {
    // An idle connection was lost (the server restarted): the pool opens another one for the next query.
  })
  pool.on('connect', (client) => {
    // A connection that is lent out and lost between two statements: the next statement on it fails.
    client.on('error', () => undefined)
  })
  return drizzle({ client: pool })
}

/** Slots for so many thirds of a pool's connections, at least one. A view of the pool, which has its options, shares them. */
export function poolSlots(thirds: 1 | 2, timeoutMs: number): (db: Database) => Slots {
  const made = new WeakMap<Pool['options'], Slots>()
  return ({ $client: { options } }) => {
    const count = Math.max(1, Math.floor((options.max * thirds) / 3))
    const slots = made.get(options) ?? createSlots(count, { timeoutMs, onTimeout: () => new PoolBusy() })
    made.set(options, slots)
    return slots
  }
}

/**
 * The transaction slots of a pool: two thirds of its connections. Transactions hold row locks and wait for those of
 * others; the rest of the pool always serves single statements, so that reading goes on while every transaction waits.
 */
export const findSlots = poolSlots(2, connectTimeoutMs)

/**
 * The pools of a process. Work of one kind that waits (for a lock, for a slow statement) leaves the connections of the
 * others. Together they stay under half of PostgreSQL's default of 100 connections, so that two processes fit.
 */
const poolTable = {
  /** Pages and actions of staff. */
  console: {
    max: 12,
    limits: { statementMs: 10 * secondMs, lockMs: 3 * secondMs, idleInTransactionMs: 10 * secondMs },
  },
  /** Requests to the built-in service. */
  service: {
    max: 16,
    limits: { statementMs: 10 * secondMs, lockMs: 2 * secondMs, idleInTransactionMs: 10 * secondMs },
  },
  /**
   * The index, event processing, bulk jobs, due work, deliveries. Several of them hold a connection for an advisory lock
   * while they use others.
   */
  background: {
    max: 20,
    limits: { statementMs: 60 * secondMs, lockMs: 10 * secondMs, idleInTransactionMs: 60 * secondMs },
  },
  /** Lists, totals and search, where `DATABASE_REPLICA_URL` names a replica. */
  replica: {
    max: 12,
    limits: { statementMs: 10 * secondMs, lockMs: 3 * secondMs, idleInTransactionMs: 10 * secondMs },
  },
} as const satisfies Record<string, ConnectOptions>

export type PoolName = keyof typeof poolTable

const databases = globalSingleton<Map<PoolName, Database>>('carddeskDatabases', () => new Map())
const context = globalSingleton<AsyncLocalStorage<PoolName>>('carddeskPoolContext', () => new AsyncLocalStorage())

/** Runs `work` with `database()` meaning that pool. */
export function withPool<Value>(name: PoolName, work: () => Value): Value {
  return context().run(name, work)
}

/**
 * A pool of this process on `DATABASE_URL`, or on the replica: the one that is named, else the one of `withPool`, else the console's.
 */
export function database(name: PoolName = context().getStore() ?? 'console'): Database {
  const databaseUrl = name === 'replica' ? process.env.DATABASE_REPLICA_URL : process.env.DATABASE_URL
  if (!databaseUrl) throw new Error('DATABASE_URL is not set: start the console with npm start')
  const open = databases().get(name)
  if (open) return open
  const opened = connect(databaseUrl, { ...poolTable[name], name: `carddesk ${name}` })
  databases().set(name, opened)
  return opened
}

/**
 * Where lists, totals and search read the index: the replica where there is one, which may be behind. A check before an action
 * uses `database()`.
 */
export function indexDatabase(): Database {
  return process.env.DATABASE_REPLICA_URL ? database('replica') : database()
}

/** How long connections that are still lent out may take to come back when the process stops. */
const closeTimeoutMs = 2 * secondMs

/**
 * Closes the pools of this process. Throws when connections are not given back in time: something has leaked them, and
 * waiting on would never end.
 */
export async function closeDatabases(timeoutMs = closeTimeoutMs): Promise<void> {
  const pools = [...databases().values()].map(({ $client }) => $client)
  const { promise: timeUp, resolve } = Promise.withResolvers<'time is up'>()
  const timer = setTimeout(() => resolve('time is up'), timeoutMs)
  const ended = await Promise.race([Promise.all(pools.map((pool) => pool.end())), timeUp])
  clearTimeout(timer)
  if (ended !== 'time is up') return
  const leaked = pools.reduce((sum, pool) => sum + pool.totalCount - pool.idleCount, 0)
  throw new Error(`connections that were never given back: ${leaked}`)
}
