import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** The packages that a file of the contract brings into the browser, or whatever of ours is not plain data. */
function heavyImports(source: string): string[] {
  const values = source.matchAll(/^import (?!type )[^'"]*['"]([^'"]+)['"]/gms)
  return [...values]
    .map(([, from = '']) => from)
    .filter(
      (from) =>
        !/^(\.\/|zod$|#lib\/shared\/(at-most|currency|time|ids|json|card-numbers|result|routes)\.ts$)/.test(from),
    )
}

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))

test.each(files.filter((name) => name !== 'pinyin.ts'))(
  '%s imports no package but zod, and of ours only plain data',
  (name) => {
    expect(heavyImports(readFileSync(path.join(import.meta.dirname, name), 'utf8'))).toEqual([])
  },
)

test('pinyin.ts is separate: nothing of the contract imports it', () => {
  const importers = files.filter((name) =>
    readFileSync(path.join(import.meta.dirname, name), 'utf8').includes("from './pinyin.ts'"),
  )
  expect(importers).toEqual([])
})

test('no screen brings decimal arithmetic into the browser', () => {
  const root = path.join(import.meta.dirname, '..', '..')
  const screens = globSync('components/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
  const importers = screens.filter((file) =>
    heavyImports(readFileSync(path.join(root, file), 'utf8')).includes('#lib/shared/money.ts'),
  )
  expect(screens.length).toBeGreaterThan(100)
  expect(importers).toEqual([])
})

test('the check finds a package, and decimal arithmetic', () => {
  const planted =
    "import { pinyin } from 'pinyin-pro'\nimport { amount } from '#lib/shared/money.ts'\nimport type { X } from 'pg'\n"
  expect(heavyImports(planted)).toEqual(['pinyin-pro', '#lib/shared/money.ts'])
})
