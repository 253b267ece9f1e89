import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Pool, types } from 'pg'

export type Database = NodePgDatabase<Record<string, never>> & { $client: Pool }
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
/** A pool or a transaction on it. */
export type Queryable = Database | Transaction

const numericOid = 1700
const int8Oid = 20

/**
 * A pool of connections to one database. `numeric` stays the decimal text it is; `bigint` becomes a number, since
 * nothing here counts beyond 2^53.
 */
export function connect(databaseUrl: string, options: { max?: number; name?: string } = {}): Database {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: options.max ?? 10,
    application_name: options.name ?? 'carddesk',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
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
    client.on('error', () => {
      // A connection in use was lost between two statements: the next one on it fails. Unheard, this would end the process.
    })
  })
  return drizzle({ client: pool })
}

const pools = globalThis as typeof globalThis & { carddeskDatabase?: Database }

/** The process's own pool on `DATABASE_URL`. One a process, also where a bundler loads this module twice. */
export function database(): Database {
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) throw new Error('DATABASE_URL is not set: start the console with npm start')
  return (pools.carddeskDatabase ??= connect(databaseUrl, { max: 20 }))
}
