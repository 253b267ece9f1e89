import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { hashSources } from './build.ts'

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

test.each(['lib/shared/money.test.ts', 'lib/launch/start.ts', 'e2e/service.spec.ts', 'README.md', 'vitest.config.ts'])(
  'a change of %s does not',
  (file) => {
    const before = hashSources(folder)
    write(file, 'changed')
    expect(hashSources(folder)).toBe(before)
  },
)

test('a file that was renamed makes the build stale', () => {
  write('lib/a.ts', 'same')
  const before = hashSources(folder)
  rmSync(path.join(folder, 'lib/a.ts'))
  write('lib/b.ts', 'same')
  expect(hashSources(folder)).not.toBe(before)
})
