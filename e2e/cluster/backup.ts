import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startServer } from '../server.ts'
import { report } from './figures.ts'
import { makeCaller } from './load.ts'
import type { DebianPostgres, PostgresServer } from './postgres.ts'

/**
 * Restores a console's database in both ways that docs/deploy.md describes. Returns whether a `pg_dump` restores every row, and
 * whether recovery to a point in time has everything from before it, nothing from after it, and a console that runs on it.
 */
export async function backup(postgres: DebianPostgres, folder: string): Promise<boolean> {
  const live = postgres.create('live', ['archive_mode = on', `archive_command = 'cp %p ${folder}/postgres/archive/%f'`])
  const below = path.dirname(live)
  postgres.run('mkdir', [path.join(below, 'archive')])
  const server = await postgres.start(live)
  await server.query('create database carddesk', 'postgres')
  const dataDir = path.join(folder, 'desk')
  mkdirSync(dataDir)
  const settings = { DATABASE_URL: server.url('carddesk'), SANDBOX_RATE_LIMIT_PER_MINUTE: '0' }
  const desk = await startServer({ dataDir, settings })
  const caller = await makeCaller(desk.url, desk.access.accessKey)
  const cards = await caller.activeCards(10)
  const chargeAll = () => Promise.all(cards.map((card) => caller.charge(card)))

  postgres.run('pg_basebackup', ['-D', path.join(below, 'base'), ...server.at, '-X', 'stream', '-c', 'fast'])
  const wanted = await chargeAll()
  await delay(1000)
  const [{ moment } = { moment: '' }] = await server.query<{ moment: string }>('select now()::text as moment')
  await delay(1000)
  const unwanted = await chargeAll()
  await desk.stop()

  postgres.run('pg_dump', [...server.at, '-Fc', '-f', path.join(below, 'carddesk.dump'), 'carddesk'])
  await server.query('create database restored', 'postgres')
  postgres.run('pg_restore', [...server.at, '-d', 'restored', path.join(below, 'carddesk.dump')])
  const [source, restored] = [await rowCounts(server, 'carddesk'), await rowCounts(server, 'restored')]
  const different = [...source].filter(([table, rows]) => restored.get(table) !== rows).map(([table]) => table)
  await server.query('select pg_switch_wal()')
  await delay(2000)
  await server.stop()

  postgres.run('touch', [path.join(below, 'base', 'recovery.signal')])
  const recovered = await postgres.start(path.join(below, 'base'), [
    'archive_mode=off',
    `restore_command=cp ${below}/archive/%f %p`,
    `recovery_target_time=${moment}`,
    'recovery_target_action=promote',
  ])
  await promoted(recovered)
  const found = new Set(
    (await recovered.query<{ id: string }>('select id::text from service.card_account_transactions')).map(
      ({ id }) => id,
    ),
  )
  cpSync(path.join(dataDir, 'keys'), path.join(folder, 'desk-again', 'keys'), { recursive: true })
  const again = await startServer({
    dataDir: path.join(folder, 'desk-again'),
    settings: { DATABASE_URL: recovered.url('carddesk') },
  })
  const status = await (await makeCaller(again.url, again.access.accessKey)).visit('/sandbox/audit')
  await again.stop()
  await recovered.stop()

  const lost = wanted.filter((id) => !found.has(id)).length
  const extra = unwanted.filter((id) => found.has(id)).length
  return report('Backup and restore', [
    { label: 'tables in the dump', figure: source.size, holds: source.size > 30 },
    { label: 'tables whose restored rows differ', figure: different.join(', ') || 0, holds: different.length === 0 },
    { label: 'charges before the point in time', figure: wanted.length, holds: wanted.length > 0 },
    { label: 'of these lost by the recovery', figure: lost, holds: lost === 0 },
    { label: 'later charges in the recovered database', figure: extra, holds: extra === 0 },
    { label: 'the audit log of a console on it', figure: `HTTP ${status}`, holds: status === 200 },
  ])
}

async function rowCounts(server: PostgresServer, database: string): Promise<Map<string, number>> {
  const tables = await server.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('console', 'service', 'launch', 'migrations') order by 1`,
    database,
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const [row] = await server.query<{ rows: number }>(`select count(*)::int as rows from ${name}`, database)
    counts.set(name, row?.rows ?? 0)
  }
  return counts
}

async function promoted(server: PostgresServer): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const [row] = await server.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
    if (row?.recovering === false) return
    await delay(100)
  }
  throw new Error('The recovery did not reach its point in time within 30 s.')
}
