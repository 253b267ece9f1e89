import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient } from 'pg'
import type { Database } from '#lib/db/connection.ts'

const schemas = new WeakMap<Database, string>()

/** The schema that statements on this database mean by `service`. */
export function serviceSchema(db: Database): string {
  return schemas.get(db) ?? 'service'
}

/**
 * The same pool of connections, on which every statement that names the schema `service` means another schema with the same
 * tables. What is cached per database is cached per view.
 */
export function viewOfSchema(db: Database, schema: string): Database {
  const pool = db.$client
  const clients = new WeakMap<PoolClient, PoolClient>()
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect()
    const cached = clients.get(client)
    if (cached) return cached
    const created = clientInSchema(client, schema)
    clients.set(client, created)
    return created
  }
  const view = drizzle({ client: overriding(pool, { ...queryIn(pool, schema), connect }) }) as Database
  schemas.set(view, schema)
  return view
}

/** A connection on which every statement that names the schema `service` means another one. */
export function clientInSchema<Client extends Pick<PoolClient, 'query'>>(client: Client, schema: string): Client {
  return overriding(client, queryIn(client, schema))
}

/** The text of a statement with another schema where it names `service`: as an identifier, or as all or the start of a text. */
export function inSchema(text: string, schema: string): string {
  return text.replaceAll(/(?<![\w.-])service(?=\.|"\.|')/g, schema)
}

function overriding<Target extends object>(target: Target, own: object): Target {
  return Object.assign(Object.create(target) as Target, own)
}

type Given = string | { text: string; name?: string | undefined }

/** Statements lose their names: PostgreSQL would keep those of every schema there ever was, for as long as the connection. */
function queryIn(client: Pick<Pool | PoolClient, 'query'>, schema: string): object {
  const query = client.query.bind(client) as (given: Given, ...rest: unknown[]) => unknown
  return {
    query: (given: Given, ...rest: unknown[]) =>
      typeof given === 'string'
        ? query(inSchema(given, schema), ...rest)
        : query({ ...given, name: undefined, text: inSchema(given.text, schema) }, ...rest),
  }
}
