import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { freePort } from './free-port.ts'
import { advice, chooseRunner, findBinaries, type Binaries, type Runner } from './postgres-binaries.ts'
import { embeddedUrl, openAsOwner, findOwner } from './postgres-owner.ts'
import { endSessions, findPostmaster, stopPostmaster } from './postmaster.ts'
import { whileClaimed } from './start-claim.ts'
import { readOrMakeSecret } from './stored-secret.ts'

export type EmbeddedPostgres = { databaseUrl: string; stop: () => Promise<void> }

type Options = {
  /** The facts about this server that a second start on the same folder reads. */
  owner?: string
  /** `false` is for tests, which throw the folder away. */
  durable?: boolean
  /** Called each time while the server starts, for work of this process in the meantime. */
  whileStarting?: () => unknown
  /** Called when the server died and could not be started again. */
  onLost?: (reason: string) => void
}

type Installation = {
  binaries: Binaries
  runner: Runner
  folder: string
  dataFolder: string
  password: string
  options: Options
}
type Running = { child: ChildProcess; exited: Promise<string>; port: number; session: Client }

const startAttempts = 40
/** Failures that pass: a port taken in between, sessions that outlived a killed server. */
const passingFailure = /lock file|shared memory|address already in use|could not (bind|create)/i

/**
 * Starts the embedded PostgreSQL on a folder. One that a killed process left running there is stopped first; one that
 * another process is using refuses the start. A server that dies is started again on its port. Throws an `Error` with one
 * line that says what to do.
 */
export async function startEmbeddedPostgres(folder: string, options: Options = {}): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const dataFolder = path.join(folder, 'postgres')
  const password = readOrMakeSecret(path.join(folder, 'postgres-password'), () => randomBytes(24).toString('base64url'))
  const runner = chooseRunner(binaries, folder)
  const installation = { binaries, runner, folder, dataFolder, password, options }

  let running = await whileClaimed(folder, async () => {
    if (!existsSync(path.join(dataFolder, 'PG_VERSION'))) initialise(installation)
    return start(installation)
  })
  let isStopping = false
  let restart = Promise.resolve()
  const startAgain = async (): Promise<void> => {
    try {
      running = await whileClaimed(folder, () => start(installation, running.port))
      void keepAlive()
    } catch (error) {
      options.onLost?.((error as Error).message)
    }
  }
  const keepAlive = async (): Promise<void> => {
    await running.exited
    if (!isStopping) restart = startAgain()
  }
  void keepAlive()
  // However this process ends, short of a kill, the server ends with it.
  const stopAtExit = () => void running.child.kill('SIGINT')
  process.once('exit', stopAtExit)
  return {
    databaseUrl: embeddedUrl(password, running.port),
    stop: async () => {
      isStopping = true
      // A server that is just being started again is the one to stop.
      await restart
      running.child.ref()
      await running.session.end().catch(() => undefined)
      // SIGINT is PostgreSQL's fast shutdown: sessions are ended, a checkpoint is written.
      running.child.kill('SIGINT')
      await running.exited
      process.off('exit', stopAtExit)
    },
  }
}

/** Initialises beside the final folder and renames, so that an interruption leaves no half. */
function initialise({ binaries, runner, folder, dataFolder }: Installation): void {
  const fresh = `${dataFolder}.${randomBytes(6).toString('hex')}`
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
    execFileSync(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder,
      env: environment(),
      ...runner.user,
    })
    renameSync(fresh, dataFolder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    const reason = String((error as { stderr?: Buffer }).stderr ?? error)
    throw new Error(
      `The embedded PostgreSQL could not be initialised in ${dataFolder}: ${lastLine(reason)}. ${advice}`,
      {
        cause: error,
      },
    )
  }
}

async function start(installation: Installation, wantedPort?: number): Promise<Running> {
  const { binaries, runner, folder, dataFolder, password, options } = installation
  const logFile = path.join(folder, 'postgres.log')
  if (existsSync(logFile) && statSync(logFile).size > 10_000_000) truncateSync(logFile)
  let failure = ''
  for (let attempt = 1; attempt <= startAttempts; attempt += 1) {
    await removeStale(installation)
    const port = wantedPort ?? (await freePort())
    const [command, args] = runner.wrap(binaries.postgres, [
      '-D',
      dataFolder,
      '-p',
      String(port),
      ...serverSettings(options.durable ?? true, folder),
    ])
    const log = openSync(logFile, 'a', 0o600)
    const loggedBefore = fstatSync(log).size
    const child = spawn(command, args, {
      stdio: ['ignore', log, log],
      cwd: folder,
      env: environment(),
      // Its own process group: a Ctrl C on the terminal reaches only us, and we stop the database after the last request.
      detached: true,
      ...runner.user,
    })
    closeSync(log)
    let hasExited = false
    const exited = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', () => resolve(loggedSince(logFile, loggedBefore)))
    }).finally(() => (hasExited = true))
    options.whileStarting?.()
    const session = await openAsOwner(embeddedUrl(password, port), options.owner, () => hasExited)
    if (session) {
      child.unref()
      return { child, exited, port, session }
    }
    child.kill('SIGINT')
    const logged = await exited
    failure = lastLine(logged)
    if (/shared memory/i.test(logged)) endSessions(dataFolder)
    // It has run on this folder before, or somebody killed it while it started.
    const isPassing = wantedPort !== undefined || child.signalCode !== null || passingFailure.test(logged)
    if (!isPassing) break
    await delay(250)
  }
  throw new Error(`The embedded PostgreSQL did not start (${failure}); its log is ${logFile}. ${advice}`)
}

/** Only what PostgreSQL needs: none of our secrets, no PG* variable that changes what it does. */
function environment(): NodeJS.ProcessEnv {
  return { NODE_ENV: 'production', PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
}

function serverSettings(isDurable: boolean, folder: string): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    effective_cache_size: '2GB',
    jit: 'off',
    // Each worker is a new process, which maps page by page the buffers that the pool's connections have mapped long ago.
    max_parallel_workers_per_gather: '0',
    // A statement that fails is reported by its sender; its values belong in no log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(isDurable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', unix_socket_directories: folder }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Stops a server that a killed process left behind. Throws when it is in use. */
async function removeStale(installation: Installation): Promise<void> {
  const postmaster = findPostmaster(installation.dataFolder)
  if (!postmaster) return
  const owner = await findOwner(embeddedUrl(installation.password, postmaster.port))
  if (owner !== null)
    throw new Error(
      `The folder ${installation.folder} is in use by ${owner}: stop that first, or set DATA_DIR to another folder.`,
    )
  await stopPostmaster(postmaster, installation.dataFolder)
}

/**
 * What was logged from that byte on: sessions that outlive their server add lines of their own. Empty when the file is gone: a
 * log is no reason to fail.
 */
function loggedSince(file: string, offset: number): string {
  try {
    return readFileSync(file).subarray(offset).toString()
  } catch {
    return ''
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
