import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const debianFolder = '/usr/lib/postgresql'

/** The programs of Debian's newest `postgresql`; null without the package. */
export function postgresPrograms(): string | null {
  if (!existsSync(debianFolder)) return null
  const newest = readdirSync(debianFolder).toSorted((one, other) => Number(other) - Number(one))[0]
  const programs = newest ? path.join(debianFolder, newest, 'bin') : ''
  return existsSync(path.join(programs, 'pg_basebackup')) ? programs : null
}

export type PostgresServer = { port: number; folder: string; kill: () => Promise<void>; stop: () => Promise<void> }

/**
 * A primary and a standby with synchronous replication: a commit is acknowledged once both have it. `promote` makes the
 * standby the primary, which commits alone from then on.
 */
export type PostgresPair = { primary: PostgresServer; standby: PostgresServer; promote: () => void }

export async function startPostgresPair(
  programs: string,
  folder: string,
  ports: { primary: number; standby: number },
): Promise<PostgresPair> {
  // PostgreSQL refuses to run as root; Debian's package has a user for it.
  const isRoot = process.getuid?.() === 0
  const as = (program: string, parameters: string[]): [string, string[]] => {
    const file = path.join(programs, program)
    return isRoot ? ['runuser', ['-u', 'postgres', '--', file, ...parameters]] : [file, parameters]
  }
  const run = (program: string, parameters: string[]) =>
    execFileSync(...as(program, parameters), { stdio: 'pipe', cwd: '/' }).toString()

  mkdirSync(folder, { recursive: true })
  if (isRoot) execFileSync('chown', ['postgres', folder])
  const primaryFolder = path.join(folder, 'primary')
  const standbyFolder = path.join(folder, 'standby')

  run('initdb', ['-D', primaryFolder, '--auth=trust', '--username=carddesk', '--encoding=UTF8', '--locale=C'])
  const settings = [
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    'max_connections = 200',
    'wal_level = replica',
    'wal_keep_size = 512MB',
    "synchronous_standby_names = '*'",
  ]
  appendFileSync(path.join(primaryFolder, 'postgresql.conf'), `${settings.join('\n')}\n`)

  const start = async (at: string, port: number, ...more: string[]): Promise<PostgresServer> => {
    const server = spawn(...as('postgres', ['-D', at, '-p', String(port), ...more]), { stdio: 'ignore', cwd: '/' })
    await ready(server, () => run('pg_isready', ['-h', '127.0.0.1', '-p', String(port)]))
    const end = (signal: 'KILL' | 'INT') => async () => {
      if (server.exitCode !== null || server.signalCode !== null) return
      const pid = execFileSync('head', ['-1', path.join(at, 'postmaster.pid')])
        .toString()
        .trim()
      execFileSync('kill', [`-${signal}`, pid])
      await once(server, 'close')
    }
    return { port, folder: at, kill: end('KILL'), stop: end('INT') }
  }

  const primary = await start(primaryFolder, ports.primary)
  const connection = `host=127.0.0.1 port=${ports.primary} user=carddesk dbname=postgres`
  run('pg_basebackup', ['-D', standbyFolder, '-d', connection, '-R', '-X', 'stream', '-c', 'fast'])
  const standby = await start(standbyFolder, ports.standby, '-c', 'synchronous_standby_names=')
  run('psql', [
    '-h',
    '127.0.0.1',
    '-p',
    String(ports.primary),
    '-U',
    'carddesk',
    '-d',
    'postgres',
    '-c',
    'create database carddesk',
  ])
  return {
    primary,
    standby,
    promote: () => void run('pg_ctl', ['promote', '-D', standbyFolder, '-w']),
  }
}

async function ready(server: ChildProcess, check: () => unknown): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (server.exitCode !== null) throw new Error('PostgreSQL did not start.')
    try {
      check()
      return
    } catch {
      await delay(100)
    }
  }
  throw new Error('PostgreSQL did not get ready within 30 s.')
}
