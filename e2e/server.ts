import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#lib/db/free-port.ts'
import { settingNames } from '#lib/settings/settings.ts'

const root = path.join(import.meta.dirname, '..')

/** What `service-access.json` holds. */
export type ServiceAccess = { baseUrl: string; accessKey: string; privateKeyFile: string; controlUrl: string }

export type StartedServer = {
  url: string
  port: number
  dataDir: string
  access: ServiceAccess
  process: ChildProcess
  /** Everything that it has printed so far. */
  output: () => string
  /** Ends it as Ctrl C does, and returns its exit code. */
  stop: () => Promise<number | null>
}

type Options = {
  /** On top of the surroundings, in which no setting of Carddesk is left. */
  settings?: Record<string, string>
  /** A folder that the caller owns; otherwise a new one that goes when the server stops. */
  dataDir?: string
  /** Arguments of the start, such as `--sandbox`. */
  flags?: string[]
}

export class StartFailure extends Error {
  readonly code: number | null
  constructor(code: number | null, output: string) {
    super(output.trim())
    this.name = 'StartFailure'
    this.code = code
  }
}

/** Starts the server as `npm start` does and waits until it responds. Throws `StartFailure` with what it printed when it ends instead. */
export async function startServer({ settings = {}, dataDir, flags = [] }: Options = {}): Promise<StartedServer> {
  const port = settings.PORT ? Number(settings.PORT) : await freePort()
  const folder = dataDir ?? mkdtempSync(path.join(tmpdir(), 'carddesk-e2e-'))
  const child = spawn(process.execPath, ['lib/launch/start.mjs', ...flags], {
    cwd: root,
    env: { ...surroundings(), DATA_DIR: folder, PORT: String(port), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const isReady = Promise.withResolvers<true>()
  const read = (chunk: Buffer) => {
    output += chunk.toString()
    if (output.includes('Ctrl C stops it.')) isReady.resolve(true)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const result = await Promise.race([isReady.promise, exited.then((code) => ({ code }))])
  const cleanUp = () => {
    if (!dataDir) rmSync(folder, { recursive: true, force: true })
  }
  if (result !== true) {
    cleanUp()
    throw new StartFailure(result.code, output)
  }
  return {
    url: `http://localhost:${port}`,
    port,
    dataDir: folder,
    access: readAccess(path.join(folder, 'service-access.json')),
    process: child,
    output: () => output,
    stop: async () => {
      child.kill('SIGINT')
      const code = await exited
      cleanUp()
      return code
    },
  }
}

const withoutProxy = '.next-without-proxy'

/**
 * Links the build into a folder of its own whose manifest does not name the proxy, so that Next never runs `proxy.ts`. Returns the
 * setting with which a server uses that folder. Throws an `Error` where the build's manifest has another form.
 */
export function linkBuildWithoutProxy(): { NEXT_DIST_DIR: string } {
  const made = path.join(root, process.env.NEXT_DIST_DIR ?? '.next')
  const manifest = path.join('server', 'functions-config-manifest.json')
  const { functions, ...rest } = JSON.parse(readFileSync(path.join(made, manifest), 'utf8')) as { functions: object }
  const { '/_middleware': proxy, ...others } = functions as Record<string, unknown>
  if (!proxy) throw new Error(`${manifest} names no proxy`)
  unlinkBuildWithoutProxy()
  const own = path.join(root, withoutProxy)
  for (const folder of ['', 'server']) {
    mkdirSync(path.join(own, folder))
    for (const entry of readdirSync(path.join(made, folder))) {
      const at = path.join(folder, entry)
      if (at !== 'server' && at !== manifest) symlinkSync(path.join(made, at), path.join(own, at))
    }
  }
  writeFileSync(path.join(own, manifest), JSON.stringify({ ...rest, functions: others }))
  return { NEXT_DIST_DIR: withoutProxy }
}

export function unlinkBuildWithoutProxy(): void {
  for (const made of [withoutProxy, path.join('.next-claims', withoutProxy), `tsconfig${withoutProxy}.json`])
    rmSync(path.join(root, made), { recursive: true, force: true })
}

/** Without a built-in service this file does not exist and there is no service to call. */
function readAccess(file: string): ServiceAccess {
  if (!existsSync(file)) return { baseUrl: '', accessKey: '', privateKeyFile: '', controlUrl: '' }
  return JSON.parse(readFileSync(file, 'utf8')) as ServiceAccess
}

/**
 * Every setting is empty, which counts as not set, so that neither our surroundings nor a file `.env` has a say. Playwright asks
 * for colours, and Node warns where the shell asks for none.
 */
function surroundings(): NodeJS.ProcessEnv {
  const unset = Object.fromEntries(settingNames.map((name) => [name, '']))
  return { ...process.env, ...unset, NODE_ENV: 'production', NO_COLOR: undefined, FORCE_COLOR: undefined }
}
