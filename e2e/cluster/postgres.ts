import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '#lib/db/free-port.ts'

const debianFolder = '/usr/lib/postgresql'

/** The folder with the programs of Debian's newest `postgresql`; null without the package. */
export function postgresPrograms(): string | null {
  if (!existsSync(debianFolder)) return null
  const newest = readdirSync(debianFolder).toSorted((one, other) => Number(other) - Number(one))[0]
  const programs = newest ? path.join(debianFolder, newest, 'bin') : ''
  return existsSync(path.join(programs, 'pg_basebackup')) ? programs : null
}

export type PostgresServer = {
  /** The parameters with which PostgreSQL's own programs connect to it. */
  at: string[]
  url: (database: string) => string
  query: <Row extends object>(sql: string, database?: string) => Promise<Row[]>
}

/** Debian's PostgreSQL in folders below one folder. Everybody on this machine may connect as `carddesk`. */
export type DebianPostgres = {
  folder: string
  /** Where its programs are. */
  programs: string
  /** Makes an empty folder below `folder`. */
  makeFolder: (name: string) => string
  /** Starts a program as the user that PostgreSQL runs as. */
  spawn: (program: string, parameters: string[]) => ChildProcess
  /** Runs one of its programs and returns what it printed. Throws where it fails. */
  run: (program: string, parameters: string[]) => string
  /** Makes a new server's folder with these lines of configuration. */
  create: (name: string, settings: string[]) => string
  start: (folder: string, settings?: string[]) => Promise<PostgresServer & { stop: () => Promise<void> }>
  /** The server at a port of this machine. */
  serverAt: (port: number) => PostgresServer
}

export function debianPostgres(programs: string, folder: string): DebianPostgres {
  // PostgreSQL refuses to run as root; Debian's package has a user for it.
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  const fileOf = (program: string) => {
    const file = path.join(programs, program)
    return existsSync(file) ? file : program
  }
  const run = (program: string, parameters: string[]) =>
    execFileSync(fileOf(program), parameters, { stdio: 'pipe', cwd: '/', ...owner }).toString()
  const spawnAs = (program: string, parameters: string[]) =>
    spawn(fileOf(program), parameters, { stdio: 'ignore', cwd: '/', ...owner })
  const makeFolder = (name: string) => {
    const at = path.join(folder, name)
    mkdirSync(at, { recursive: true })
    if (owner.uid) chownSync(at, owner.uid, owner.gid)
    return at
  }
  const serverAt = (port: number): PostgresServer => {
    const url = (database: string) => `postgresql://carddesk@127.0.0.1:${port}/${database}`
    return {
      at: ['-h', '127.0.0.1', '-p', String(port), '-U', 'carddesk'],
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
    }
  }
  makeFolder('.')

  return {
    folder,
    programs,
    makeFolder,
    spawn: spawnAs,
    run,
    serverAt,
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
      const server = spawnAs('postgres', parameters)
      await ready(server, () => run('pg_isready', ['-h', '127.0.0.1', '-p', String(port)]))
      return {
        ...serverAt(port),
        stop: async () => {
          if (server.exitCode !== null || server.signalCode !== null) return
          server.kill('SIGINT')
          await once(server, 'close')
        },
      }
    },
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres']).toString())
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
