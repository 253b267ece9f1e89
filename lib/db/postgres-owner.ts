import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

const databaseName = 'carddesk'

/** The URL of the embedded database. */
export function embeddedUrl(password: string, port: number): string {
  return `postgresql://carddesk:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseName}`
}

const ownerPrefix = 'carddesk owner: '

/** The user of a running server, null when there is none. A second is plenty for a process that has just started it. */
export async function findOwner(databaseUrl: string): Promise<string | null> {
  const deadline = Date.now() + 1_000
  for (;;) {
    const client = new Client({
      connectionString: maintenanceUrl(databaseUrl),
      connectionTimeoutMillis: 1_000,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ owner: string }>(
        `select substr(application_name, $2) as owner from pg_stat_activity where starts_with(application_name, $1)`,
        [ownerPrefix, ownerPrefix.length + 1],
      )
      if (rows[0]) return rows[0].owner
    } catch {
      // Not ready yet, or about to stop.
    } finally {
      await client.end().catch(() => undefined)
    }
    if (Date.now() > deadline) return null
    await delay(50)
  }
}

/**
 * Waits until a server that was just started responds, makes the database where it is missing, and keeps a session open that
 * says whose it is. Null when the server ended before, or did not respond within a minute.
 */
export async function openAsOwner(
  databaseUrl: string,
  owner = `process ${process.pid}`,
  hasExited: () => boolean,
): Promise<Client | null> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && !hasExited()) {
    const client = new Client({
      connectionString: maintenanceUrl(databaseUrl),
      connectionTimeoutMillis: 2_000,
      application_name: `${ownerPrefix}${owner}`,
      keepAlive: true,
    })
    client.on('error', () => {
      // The server died: it is started again, with a session of its own.
    })
    try {
      await client.connect()
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName])
      if (rowCount === 0) await client.query(`create database ${databaseName}`)
      return client
    } catch {
      await client.end().catch(() => undefined)
      await delay(25)
    }
  }
  return null
}

function maintenanceUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.pathname = '/postgres'
  return url.href
}
