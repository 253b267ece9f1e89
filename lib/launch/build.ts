import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { atShutdown } from '#lib/shared/shutdown.ts'
import { compressAssets } from './static-assets.ts'

export const root = path.join(import.meta.dirname, '..', '..')
const distDir = process.env.NEXT_DIST_DIR ?? '.next'
/** What a build gives browsers as it is. */
export const assetsFolder = path.join(root, distDir, 'static')

const sources = ['app/**/*', 'components/**/*', 'lib/**/*', '*.{json,mjs,ts}']
const notInTheBuild =
  /\.test\.tsx?$|^lib\/(launch|db\/migrations)\/|^next-env\.d\.ts$|^(vitest|oxlint|knip)\.config\.ts$|^tsconfig\.next-/

/** Builds for production when there is no build, or one of other sources, packages or another Node. Throws an `Error` with the build's output when it fails. */
export async function makeBuild(announce: () => void): Promise<void> {
  const mark = path.join(root, distDir, 'carddesk-sources.sha256')
  const hash = hashSources(root)
  if (readIfThere(mark) === hash) return
  announce()
  rmSync(mark, { force: true })
  await runBuild()
  await compressAssets(assetsFolder)
  writeFileSync(mark, hash)
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

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
