import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { shutDown } from '#lib/shared/lifecycle.ts'
import { ensureBuild, hashSources } from './build.ts'

let folder: string

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text)
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'carddesk-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  write('app/[environment]/page.tsx', 'one')
  write('package-lock.json', '{}')
})

test.each([
  'app/[environment]/page.tsx',
  'app/globals.css',
  'components/ui/button.tsx',
  'lib/shared/money.ts',
  'package-lock.json',
  'next.config.mjs',
  'proxy.ts',
])('a change of %s makes the build stale', (file) => {
  const before = hashSources(folder)
  write(file, 'changed')
  expect(hashSources(folder)).not.toBe(before)
})

test.each([
  'lib/shared/money.test.ts',
  'lib/launch/start.ts',
  'lib/service/handle.ts',
  'e2e/service.spec.ts',
  'README.md',
  'vitest.config.ts',
])('a change of %s does not', (file) => {
  const before = hashSources(folder)
  write(file, 'changed')
  expect(hashSources(folder)).toBe(before)
})

test('a file that was renamed makes the build stale', () => {
  write('lib/a.ts', 'same')
  const before = hashSources(folder)
  rmSync(path.join(folder, 'lib/a.ts'))
  write('lib/b.ts', 'same')
  expect(hashSources(folder)).not.toBe(before)
})

/** A build folder whose sources have this hash; reports how many builds were made in it. */
function buildFolder() {
  const place = { name: '.next', claims: path.join(folder, 'claims'), mark: path.join(folder, 'mark') }
  let builds = 0
  const lines: string[] = []
  const ensure = (hash: string, isServer = true) => {
    const build = async () => {
      builds += 1
      await setTimeout(20)
    }
    return ensureBuild(place, () => hash, build, { isServer, say: (line) => lines.push(line) })
  }
  onTestFinished(async () => void (await shutDown()))
  return { claims: place.claims, ensure, lines, builds: () => builds }
}

test('two starts at once from the same sources build once, and the second reports that it waits', async () => {
  const { ensure, lines, builds } = buildFolder()
  await Promise.all([ensure('one'), ensure('one')])
  expect(builds()).toBe(1)
  expect(lines).toEqual(['Build     another process is making it'])
})

test('a build of other sources is refused while a server of another process uses the folder, and made afterwards', async () => {
  const { claims, ensure, builds } = buildFolder()
  await ensure('one', false)
  const server = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)'])
  onTestFinished(() => void server.kill('SIGKILL'))
  await once(server, 'spawn')
  writeFileSync(path.join(claims, `server-${server.pid}`), '')
  await ensure('one')
  const message = `The build in .next is in use by a server that was started from other sources (process ${server.pid}): stop it first`
  await expect(ensure('two')).rejects.toThrow(message)
  expect(builds()).toBe(1)
  server.kill('SIGKILL')
  await once(server, 'exit')
  await ensure('two')
  expect(builds()).toBe(2)
})

test('a server gives its folder back when it stops', async () => {
  const { claims, ensure } = buildFolder()
  await ensure('one')
  const file = path.join(claims, `server-${process.pid}`)
  expect(existsSync(file)).toBe(true)
  await shutDown()
  expect(existsSync(file)).toBe(false)
})

test('a read-only installation starts from a build of its sources, and says what to do without one', async () => {
  const mark = path.join(folder, 'mark')
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  const ensure = (hash: string) => {
    const place = { name: '.next', claims: path.join(file, 'claims'), mark }
    const build = () => Promise.reject(new Error('no build is made'))
    return ensureBuild(place, () => hash, build, { isServer: true, say: () => undefined })
  }
  await expect(ensure('one')).rejects.toThrow('its folder is read-only: run npm run build first')
  writeFileSync(mark, 'one')
  await expect(ensure('one')).resolves.toBeUndefined()
  await expect(ensure('two')).rejects.toThrow('run npm run build first')
})

test('no style depends on what the whole page contains: each change of an element would restyle all of it', () => {
  expect(readFileSync('app/globals.css', 'utf8')).not.toMatch(/(?:body|html|:root|\*):has\(/)
})
