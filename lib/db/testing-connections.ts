import { Client, type ClientBase, type ClientConfig, type Pool } from 'pg'
import { connect, type Database } from './connection.ts'

/**
 * The connections to a test database. They outlive its pools, so that PostgreSQL need not read its tables and plan its
 * statements again.
 */
export type KeptConnections = {
  /** A pool of the kept connections and new ones; there is one at a time. */
  openPool: () => Database
  /** Ends the pool, and keeps those of its connections that are as new. */
  closePool: (db: Database) => Promise<void>
  /** A connection while there is no pool. */
  session: () => Promise<Client>
  /** How many are open while there is no pool. */
  count: () => number
  end: () => Promise<void>
}

const keptMost = 8

/** What DISCARD ALL does, but for the prepared statements: the client's side knows that they are there. */
const asNew = [
  'rollback; close all; set session authorization default; reset all; unlisten *',
  'select pg_advisory_unlock_all(); discard temp; discard sequences',
].join('; ')

export function keepConnections(databaseUrl: string): KeptConnections {
  const kept: Client[] = []
  const ends = new WeakMap<ClientBase, () => Promise<void>>()
  let returning: Promise<void>[] = []

  const end = async (client: ClientBase) => {
    try {
      await ends.get(client)?.()
    } catch {
      // One that is lost has ended.
    }
  }
  const keep = async (client: Client) => {
    const forget = () => void (kept.includes(client) && kept.splice(kept.indexOf(client), 1))
    client.removeAllListeners().on('error', forget).on('end', forget)
    const isAsNew = await client.query(asNew).then(
      () => true,
      () => false,
    )
    if (isAsNew && kept.length < keptMost) kept.push(client)
    else await end(client)
  }
  /** What the pool calls with `new` for each connection. */
  const clientOf = (pool: Pool) => {
    const broken = new WeakSet<ClientBase>()
    pool.on('release', (error: unknown, client) => void (error && broken.add(client)))
    return function (config: ClientConfig) {
      const existing = kept.pop()?.removeAllListeners()
      const client = existing ?? new Client(config)
      if (!existing) ends.set(client, client.end.bind(client))
      const open = client.connect.bind(client)
      return Object.assign(client, {
        connect: (done: (error?: Error) => void) => (existing ? process.nextTick(done) : open(done)),
        end: (done: () => void) => {
          returning.push(pool.ending && !broken.has(client) ? keep(client) : end(client))
          done()
        },
      })
    }
  }
  const openPool = () => {
    const db = connect(databaseUrl, { max: 30, name: 'carddesk test' })
    Object.assign(db.$client, { Client: clientOf(db.$client) })
    return db
  }
  const closePool = async (db: Database) => {
    await db.$client.end()
    await Promise.all(returning)
    returning = []
  }
  const session = async (): Promise<Client> => {
    const [client] = kept
    if (client) return client
    const db = openPool()
    const opened = await db.$client.connect()
    opened.release()
    await closePool(db)
    return session()
  }
  return {
    openPool,
    closePool,
    session,
    count: () => kept.length,
    end: async () => void (await Promise.all(kept.splice(0).map(end))),
  }
}
