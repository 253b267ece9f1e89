import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from '#lib/db/postmaster.ts'
import { whileClaimed } from '#lib/db/start-claim.ts'
import { readIfThere } from '#lib/db/stored-secret.ts'
import { atShutdown } from '#lib/shared/lifecycle.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { compiledFolder } from './compile-cache.mjs'
import { runCommand } from './run-command.ts'
import { addCompileHints, compressAssets } from './static-assets.ts'

export const root = path.join(import.meta.dirname, '..', '..')
const distDir = process.env.NEXT_DIST_DIR || '.next'
/** The folder of a build's files that browsers get as they are. */
export const assetsFolder = path.join(root, distDir, 'static')

const sources = ['app/**/*', 'components/**/*', 'lib/**/*', '*.{json,mjs,ts}']
const notInTheBuild =
  /\.test\.tsx?$|^lib\/(launch|service|db\/migrations)\/|^next-env\.d\.ts$|^(vitest\.config|oxlint\.config|oxlint\.rules|knip\.config)\.ts$|^tsconfig\.next-/

type BuildFolder = {
  /** Display name, shown in messages. */
  name: string
  /** A folder outside the build, which a build empties: who builds, and which servers use the build. */
  claims: string
  /** The file with the digest of what the build was made of. */
  mark: string
}

/** No build takes longer. */
const longestBuildMs = 30 * minuteMs

/**
 * Builds for production when there is no build, or one of other sources, packages or another Node. `isServer` is for a
 * process that then uses the build until it stops. Throws an `Error` with the build's output when it fails.
 */
export function makeBuild(say: (line: string) => void, { isServer }: { isServer: boolean }): Promise<void> {
  const claims = path.join(root, '.next-claims', distDir)
  const folder = { name: distDir, claims, mark: path.join(root, distDir, 'carddesk-sources.sha256') }
  const build = async () => {
    say('Build     making it, which takes a moment')
    await runBuild()
    await addCompileHints(assetsFolder)
    await compressAssets(assetsFolder)
    rmSync(compiledFolder, { recursive: true, force: true })
  }
  return ensureBuild(folder, () => hashSources(root), build, { isServer, say })
}

/**
 * Calls `build` unless the build is one of this hash. One process at a time does this for a folder; the others wait and
 * find the build made. Throws an `Error` for people when a server of another process uses a build of other sources.
 */
export async function ensureBuild(
  folder: BuildFolder,
  hashNow: () => string,
  build: () => Promise<void>,
  { isServer, say }: { isServer: boolean; say: (line: string) => void },
): Promise<void> {
  const { claims, mark, name } = folder
  if (!isWritable(claims)) {
    if (readIfThere(mark) === hashNow()) return
    throw new Error(
      `The build in ${name} is missing or was made from other sources, and its folder is read-only: run npm run build first.`,
    )
  }
  const work = async () => {
    const hash = hashNow()
    if (readIfThere(mark) !== hash) {
      requireNoServer(folder)
      rmSync(mark, { force: true })
      await build()
      writeFileSync(mark, hash)
    }
    if (isServer) registerServer(claims)
  }
  const onWait = () => say('Build     another process is making it')
  await whileClaimed(claims, work, { longestMs: longestBuildMs, onWait })
}

/** An installation may be read-only: then its build was made before, and no other process makes one. */
function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const serverFile = /^server-(\d+)$/

function registerServer(claims: string): void {
  const file = path.join(claims, `server-${process.pid}`)
  writeFileSync(file, '')
  atShutdown('build folder', () => rmSync(file, { force: true }))
}

/** A build under a server that runs would take its pages away from it. */
function requireNoServer({ claims, name }: BuildFolder): void {
  for (const file of readdirSync(claims)) {
    const pid = Number(serverFile.exec(file)?.[1] ?? process.pid)
    if (pid === process.pid) continue
    if (isAlive(pid))
      throw new Error(
        `The build in ${name} is in use by a server that was started from other sources (process ${pid}): stop it first, or set NEXT_DIST_DIR to another folder, such as .next-2.`,
      )
    rmSync(path.join(claims, file), { force: true })
  }
}

async function runBuild(): Promise<void> {
  const next = path.join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
  const child = spawn(process.execPath, [next, 'build'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atShutdown('build', () => void child.kill())
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(`The build failed.\n${Buffer.concat(output).toString().trim()}`)
}

/** A digest over everything that the build is made of. */
export function hashSources(folder: string): string {
  const hash = createHash('sha256').update(process.version)
  const files = globSync(sources, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !notInTheBuild.test(file))
    .sort()
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(path.join(folder, file)))
  return hash.digest('hex')
}

/** `npm run build`: the build that `npm start` makes when it is missing or stale. */
if (import.meta.main)
  await runCommand(() => makeBuild(() => undefined, { isServer: false }).then(() => 0), { failure: 1 })
