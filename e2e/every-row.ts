import { Client } from 'pg'
import { runningDatabaseUrl } from '#lib/launch/database.ts'

/** Every row of every table of both schemas, as text, of the server with this data folder. */
export async function everyRow(dataDir: string): Promise<{ table: string; text: string }[]> {
  const client = new Client({ connectionString: runningDatabaseUrl(dataDir) })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ table: string }>(
      `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname in ('console', 'service')`,
    )
    if (tables.length < 30) throw new Error('the search reads every table')
    const found: { table: string; text: string }[] = []
    for (const { table } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${table} t`)
      for (const { text } of rows) found.push({ table, text })
    }
    return found
  } finally {
    await client.end()
  }
}
