import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '#lib/db/free-port.ts'
import { startServer, type StartedServer } from '../server.ts'
import { report } from './figures.ts'
import { makeCaller, startLoad } from './load.ts'
import { startPatroniCluster, type PatroniCluster, type Victim } from './patroni.ts'
import type { DebianPostgres, PostgresServer } from './postgres.ts'

/** A request that takes longer counts as stuck. */
const stuckMs = 30_000

/** Odd kills end PostgreSQL, even ones the machine. */
const kills = 10

/**
 * Two consoles behind HAProxy, under load, on two PostgreSQL servers under Patroni. The primary is killed ten times, then a
 * console. Returns whether no acknowledged charge is missing or doubled, no request hung, no session ended and no operation
 * stayed open.
 */
export async function failover(postgres: DebianPostgres, haproxy: string, folder: string): Promise<boolean> {
  const ports = {
    console: await freePort(),
    database: await freePort(),
    replica: await freePort(),
    one: await freePort(),
    two: await freePort(),
  }
  const cluster = await startPatroniCluster(postgres)
  await (await cluster.settled()).query('create database carddesk', 'postgres')

  const servers: StartedServer[] = []
  let proxy: ChildProcess | null = null
  try {
    proxy = startProxy(haproxy, folder, ports, cluster)
    const url = `http://localhost:${ports.console}`
    const start = (name: 'one' | 'two') =>
      startServer({
        dataDir: path.join(folder, name),
        settings: {
          PORT: String(ports[name]),
          NEXTAUTH_URL: url,
          DATABASE_URL: `postgresql://carddesk@127.0.0.1:${ports.database}/carddesk`,
          DATABASE_REPLICA_URL: `postgresql://carddesk@127.0.0.1:${ports.replica}/carddesk`,
          SANDBOX_RATE_LIMIT_PER_MINUTE: '0',
          TRUSTED_PROXY_HOPS: '1',
        },
      })
    mkdirSync(path.join(folder, 'one'))
    const one = await start('one')
    servers.push(one)
    // Processes on one database use the same keys.
    cpSync(path.join(folder, 'one', 'keys'), path.join(folder, 'two', 'keys'), { recursive: true })
    servers.push(await start('two'))

    const before = await transactions(await cluster.settled())
    const caller = await makeCaller(url, one.access.accessKey)
    const load = await startLoad(caller)
    await delay(5_000)
    const killed: Record<Victim, number[]> = { PostgreSQL: [], machine: [] }
    for (let kill = 1; kill <= kills; kill += 1) {
      const victim = kill % 2 === 1 ? 'PostgreSQL' : 'machine'
      killed[victim].push(performance.now())
      await cluster.killLeader(victim)
      // Until the killed one follows the new leader there is nobody to take its place.
      const leader = await cluster.settled()
      console.log(`Killed ${kill} of ${kills}: ${victim}; now ${leader.url('carddesk')} leads.`)
      await delay(3_000)
    }
    const consoleKilled = performance.now()
    const consoleKilledAt = Date.now()
    one.process.kill('SIGKILL')
    await delay(10_000)
    servers[0] = await start('one')
    await delay(10_000)
    const listConnections = await waitForLists(await cluster.standby())
    await load.stop()

    const leader = await cluster.settled()
    const after = await transactions(leader)
    const acknowledged = new Set(load.acknowledged)
    const missing = acknowledged.difference(after).size
    const others = after.difference(before).difference(acknowledged).size
    const [open] = await leader.query<{ count: number }>(
      "select count(*)::int as count from console.operations where state in ('sending', 'unknown')",
    )
    const [logged] = await leader.query<{ count: number }>(
      `select count(*)::int as count from service.request_log where at > to_timestamp(${consoleKilledAt} / 1000.0)`,
    )
    const pause = (label: string, times: number[], events: readonly number[]) => {
      const pauses = events.map((event) => longestPause(times, event))
      return {
        label: `longest pause of ${label}`,
        figure: pauses.map(seconds).join(', '),
        holds: Math.max(...pauses) < stuckMs,
      }
    }
    return report('Failover: two consoles, two databases under Patroni', [
      { label: 'kills of the primary', figure: killed.PostgreSQL.length + killed.machine.length, holds: true },
      {
        label: 'connections of the consoles at the standby, for lists',
        figure: listConnections,
        holds: listConnections > 0,
      },
      { label: 'acknowledged charges', figure: acknowledged.size, holds: acknowledged.size > 100 },
      { label: 'acknowledged charges that are missing', figure: missing, holds: missing === 0 },
      { label: 'charges that were not acknowledged', figure: others, holds: others === 0 },
      { label: 'staff operations done', figure: load.actions, holds: load.actions > 5 },
      { label: 'staff operations still open', figure: open?.count ?? 0, holds: open?.count === 0 },
      { label: 'requests in the sandbox’s log since', figure: logged?.count ?? 0, holds: (logged?.count ?? 0) > 100 },
      { label: 'reads that found the session ended', figure: load.signedOut, holds: load.signedOut === 0 },
      { label: 'attempts that failed and were repeated', figure: caller.figures.failures, holds: true },
      {
        label: 'slowest request',
        figure: seconds(caller.figures.slowestMs),
        holds: caller.figures.slowestMs < stuckMs,
      },
      pause('writes when PostgreSQL was killed', load.written, killed.PostgreSQL),
      pause('reads when PostgreSQL was killed', load.read, killed.PostgreSQL),
      pause('writes when the machine was killed', load.written, killed.machine),
      pause('reads when the machine was killed', load.read, killed.machine),
      pause('writes when a console was killed', load.written, [consoleKilled]),
      pause('reads when a console was killed', load.read, [consoleKilled]),
    ])
  } finally {
    for (const server of servers) await server.stop()
    proxy?.kill('SIGTERM')
    await cluster.stop()
  }
}

/** How many connections the consoles' lists have at the standby, as soon as there is one; 0 when none comes within 20 s. */
async function waitForLists(standby: PostgresServer): Promise<number> {
  for (const until = performance.now() + 20_000; performance.now() < until; await delay(500)) {
    const [row] = await standby.query<{ connections: number }>(
      "select count(*)::int as connections from pg_stat_activity where application_name = 'carddesk replica'",
    )
    if (row && row.connections > 0) return row.connections
  }
  return 0
}

async function transactions(server: PostgresServer): Promise<Set<string>> {
  const rows = await server.query<{ id: string }>('select id::text from service.card_account_transactions')
  return new Set(rows.map(({ id }) => id))
}

/** The longest time between two successes in the seconds around an event, in ms. */
function longestPause(times: number[], event: number): number {
  const around = times.filter((at) => at > event - 1_000 && at < event + stuckMs).toSorted((one, other) => one - other)
  return Math.max(0, ...around.slice(1).map((at, index) => at - (around[index] ?? at)))
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

type ProxyPorts = Record<'console' | 'database' | 'replica' | 'one' | 'two', number>

function startProxy(file: string, folder: string, ports: ProxyPorts, { members }: PatroniCluster): ChildProcess {
  const config = path.join(folder, 'haproxy.cfg')
  const checked = members
    .map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`)
    .join('\n')
  writeFileSync(
    config,
    `defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 3s
  default-server inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
listen console
  mode http
  bind 127.0.0.1:${ports.console}
  option forwardfor
  option httpchk GET /api/health/live
  http-check send hdr Host localhost:${ports.console}
  option redispatch
  retries 3
  server one 127.0.0.1:${ports.one} check
  server two 127.0.0.1:${ports.two} check
listen database
  mode tcp
  bind 127.0.0.1:${ports.database}
  # A refused connection fails at once: a retry would wait a second, and the consoles try again sooner.
  retries 0
  # Patroni says which of them leads.
  option httpchk GET /primary
${checked}
listen replica
  mode tcp
  bind 127.0.0.1:${ports.replica}
  retries 0
  option httpchk GET /replica
  # The lists that the leader served for a while leave it.
  default-server on-marked-up shutdown-backup-sessions
${checked}
  # Without a standby the leader serves the lists, too.
  server leader 127.0.0.1:${ports.database} backup
`,
  )
  execFileSync(file, ['-c', '-f', config], { stdio: 'pipe' })
  return spawn(file, ['-db', '-f', config], { stdio: 'ignore' })
}
