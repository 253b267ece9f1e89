import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '../server.ts'

const debianFolder = '/usr/lib/postgresql'

/** The folder with the programs of Debian's newest `postgresql`; null without the package. */
export function postgresPrograms(): string | null {
  if (!existsSync(debianFolder)) return null
  const newest = readdirSync(debianFolder).toSorted((one, other) => Number(other) - Number(one))[0]
  const programs = newest ? path.join(debianFolder, newest, 'bin') : ''
  return existsSync(path.join(programs, 'pg_basebackup')) ? programs : null
}

export type PostgresServer = {
  port: number
  /** The parameters with which PostgreSQL's own programs connect to it. */
  at: string[]
  url: (database: string) => string
  query: <Row extends object>(sql: string, database?: string) => Promise<Row[]>
  kill: () => Promise<void>
  stop: () => Promise<void>
}

/** Debian's PostgreSQL in folders below one folder. Everybody on this machine may connect as `carddesk`. */
export type DebianPostgres = {
  /** Runs one of its programs and returns what it printed. Throws where it fails. */
  run: (program: string, parameters: string[]) => string
  /** Makes a new server's folder with these lines of configuration. */
  create: (name: string, settings: string[]) => string
  start: (folder: string, settings?: string[]) => Promise<PostgresServer>
}

export function debianPostgres(programs: string, folder: string): DebianPostgres {
  // PostgreSQL refuses to run as root; Debian's package has a user for it.
  const isRoot = process.getuid?.() === 0
  const as = (program: string, parameters: string[]): [string, string[]] => {
    const file = existsSync(path.join(programs, program)) ? path.join(programs, program) : program
    return isRoot ? ['runuser', ['-u', 'postgres', '--', file, ...parameters]] : [file, parameters]
  }
  const run = (program: string, parameters: string[]) =>
    execFileSync(...as(program, parameters), { stdio: 'pipe', cwd: '/' }).toString()
  mkdirSync(folder, { recursive: true })
  if (isRoot) execFileSync('chown', ['postgres', folder])

  return {
    run,
    create: (name, settings) => {
      const at = path.join(folder, name)
      run('initdb', ['-D', at, '--auth=trust', '--username=carddesk', '--encoding=UTF8', '--locale=C'])
      const lines = [
        "listen_addresses = '127.0.0.1'",
        `unix_socket_directories = '${folder}'`,
        'max_connections = 200',
        ...settings,
      ]
      appendFileSync(path.join(at, 'postgresql.conf'), `${lines.join('\n')}\n`)
      return at
    },
    start: async (at, settings = []) => {
      const port = await freePort()
      const parameters = ['-D', at, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
      const server = spawn(...as('postgres', parameters), { stdio: 'ignore', cwd: '/' })
      const connection = ['-h', '127.0.0.1', '-p', String(port)]
      await ready(server, () => run('pg_isready', connection))
      const end = (signal: 'SIGKILL' | 'SIGINT') => async () => {
        if (server.exitCode !== null || server.signalCode !== null) return
        const [pid] = readFileSync(path.join(at, 'postmaster.pid'), 'utf8').split('\n')
        process.kill(Number(pid), signal)
        await once(server, 'close')
      }
      const url = (database: string) => `postgresql://carddesk@127.0.0.1:${port}/${database}`
      return {
        port,
        at: [...connection, '-U', 'carddesk'],
        url,
        query: async <Row extends object>(sql: string, database = 'carddesk') => {
          const client = new Client({ connectionString: url(database) })
          await client.connect()
          try {
            return (await client.query<Row & Record<string, unknown>>(sql)).rows
          } finally {
            await client.end()
          }
        },
        kill: end('SIGKILL'),
        stop: end('SIGINT'),
      }
    },
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
