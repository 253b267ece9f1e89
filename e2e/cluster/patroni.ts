import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { freePort } from '#lib/db/free-port.ts'
import type { DebianPostgres, PostgresServer } from './postgres.ts'

/** After a silence of the leader of so many seconds another member takes its place. Patroni accepts no less. */
const leaderSeconds = 20

/** What a kill ends: PostgreSQL under a Patroni that goes on, or the whole machine. */
export type Victim = 'PostgreSQL' | 'machine'

export type PatroniCluster = {
  /** HAProxy checks the first port of each member for `/primary`, and connects to the second. */
  members: readonly { name: string; restPort: number; port: number }[]
  /** Waits until a member leads, not the one that was killed last, and the other is its synchronous standby. Returns the leader's server. */
  settled: () => Promise<PostgresServer>
  /** Kills the leader with SIGKILL, after which it starts again: by its Patroni, or as a machine that comes back. */
  killLeader: (victim: Victim) => Promise<void>
  /** The server of the member that follows. */
  standby: () => Promise<PostgresServer>
  stop: () => Promise<void>
}

const Cluster = z.object({
  members: z.array(
    z.object({ name: z.string(), role: z.string(), state: z.string(), timeline: z.number().optional() }),
  ),
})

/** Two PostgreSQL servers under Patroni, which replicate synchronously, and the etcd that they vote in. */
export async function startPatroniCluster(postgres: DebianPostgres): Promise<PatroniCluster> {
  const etcdPort = await freePort()
  const etcd = await startEtcd(postgres, etcdPort)
  const [one, two] = [await defineMember('one'), await defineMember('two')]
  const members = [one, two]
  const stopping = new AbortController()
  /** Each promotion begins a new one. */
  let killedTimeline = 0

  async function defineMember(name: string) {
    const [restPort, port] = [await freePort(), await freePort()]
    const at = path.join(postgres.folder, name)
    const file = path.join(postgres.folder, `${name}.json`)
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(configurationOf({ name, restPort, port, at, etcdPort, postgres })))
    return { name, restPort, port, at, file, process: null as ChildProcess | null }
  }

  type Member = (typeof members)[number]

  function start(member: Member): void {
    member.process = postgres.spawn('patroni', [member.file])
  }

  async function findLeader(): Promise<{ member: Member; timeline: number } | null> {
    for (const { restPort } of members) {
      const states = (await readCluster(restPort)).filter(({ state }) => isRunning(state))
      const hasStandby = states.some(({ role }) => role === 'sync_standby')
      const { name, timeline = 0 } = states.find(({ role }) => role === 'leader') ?? {}
      const member = members.find((each) => each.name === name)
      if (member && hasStandby && timeline > killedTimeline) return { member, timeline }
    }
    return null
  }

  async function waitForSettled(): Promise<{ member: Member; timeline: number }> {
    for (let attempt = 0; attempt < 1200; attempt += 1) {
      const leader = await findLeader()
      if (leader) return leader
      await delay(100)
    }
    throw new Error('The cluster had no new leader with a synchronous standby for 120 s.')
  }

  start(one)
  await waitForLeader(one.restPort)
  start(two)
  await waitForSettled()

  return {
    members,
    settled: async () => postgres.serverAt((await waitForSettled()).member.port),
    standby: async () => {
      const { member } = await waitForSettled()
      return postgres.serverAt((member === one ? two : one).port)
    },
    killLeader: async (victim) => {
      const { member, timeline } = await waitForSettled()
      killedTimeline = timeline
      if (victim === 'machine') await end(member.process, 'SIGKILL')
      const [pid] = readFileSync(path.join(member.at, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(positive(pid), 'SIGKILL')
      if (victim === 'PostgreSQL') return
      // The machine is away for longer than the other one waits for it.
      const back = delay((leaderSeconds + 5) * 1000, undefined, { signal: stopping.signal })
      void back.then(
        () => start(member),
        () => undefined,
      )
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(members.map((member) => end(member.process, 'SIGTERM')))
      await end(etcd, 'SIGKILL')
    },
  }
}

/** To a kill, the 0 of an empty file means every process of one's own group. */
function positive(pid: string | undefined): number {
  if (!(Number(pid) > 1)) throw new Error('postmaster.pid holds no process id.')
  return Number(pid)
}

function isRunning(state: string): boolean {
  return state === 'running' || state === 'streaming'
}

async function readCluster(restPort: number): Promise<z.infer<typeof Cluster>['members']> {
  try {
    const response = await fetch(`http://127.0.0.1:${restPort}/cluster`)
    return Cluster.parse(await response.json()).members
  } catch {
    return []
  }
}

async function waitForLeader(restPort: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const [member] = await readCluster(restPort)
    if (member?.role === 'leader' && isRunning(member.state)) return
    await delay(100)
  }
  throw new Error('Patroni made no PostgreSQL within 60 s.')
}

async function startEtcd(postgres: DebianPostgres, port: number): Promise<ChildProcess> {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`]
  const settings = {
    name: 'one',
    'data-dir': postgres.makeFolder('etcd'),
    'log-level': 'error',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `one=${peer}`,
  }
  const etcd = postgres.spawn(
    'etcd',
    Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
  )
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const isHealthy = await fetch(`${client}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) return etcd
    await delay(100)
  }
  throw new Error('etcd did not get ready within 30 s.')
}

async function end(child: ChildProcess | null, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

type MemberSettings = {
  name: string
  restPort: number
  port: number
  at: string
  etcdPort: number
  postgres: DebianPostgres
}

/** What docs/deploy.md recommends, on one machine: see Patroni's documentation for each name. */
function configurationOf({ name, restPort, port, at, etcdPort, postgres }: MemberSettings): object {
  const rest = `127.0.0.1:${restPort}`
  const address = `127.0.0.1:${port}`
  return {
    scope: 'carddesk',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: leaderSeconds,
        loop_wait: 1,
        retry_timeout: 3,
        // A leader whose PostgreSQL ended hands over at once, where it could wait for it to start.
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 200,
            wal_keep_size: '512MB',
            wal_retrieve_retry_interval: '200ms',
            // Whoever has changed something finds it in the lists, which are read from the standby.
            synchronous_commit: 'remote_apply',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: at,
      bin_dir: postgres.programs,
      pgpass: `${at}.pgpass`,
      authentication: {
        superuser: { username: 'carddesk' },
        replication: { username: 'carddesk' },
        rewind: { username: 'carddesk' },
      },
      parameters: { unix_socket_directories: postgres.folder },
    },
  }
}
