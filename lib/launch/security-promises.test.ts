import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The file and the title that each row of SECURITY.md names. */
function promises(text: string): { file: string; title: string }[] {
  return [...text.matchAll(/\| `([\w./-]+\.(?:test|spec)\.tsx?)`: (.+?)\s*\|$/gm)].map(([, file = '', title = '']) => ({
    file,
    title,
  }))
}

/** The promises without a test. */
function unproven(text: string): string[] {
  return promises(text)
    .filter(({ file, title }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(title))
    .map(({ file, title }) => `${file}: ${title}`)
}

test('every promise of SECURITY.md names a test that there is', () => {
  const text = readFileSync('SECURITY.md', 'utf8')
  expect(promises(text).length).toBeGreaterThan(25)
  expect(text.split('## Promises')[1]?.match(/^\| \d/gm)).toHaveLength(promises(text).length)
  expect(unproven(text)).toEqual([])
})

test('a promise whose test is missing is found', () => {
  const row = '| 1 | Something. | `lib/launch/security-promises.test.ts`: no such title here, and nowhere |'
  expect(unproven(row.replace('nowhere', 'no-where'))).toHaveLength(1)
  expect(unproven('| 1 | Something. | `lib/launch/gone.test.ts`: a title |')).toEqual([
    'lib/launch/gone.test.ts: a title',
  ])
})

test('docs/asvs.md names files and tests that there are', () => {
  const text = readFileSync('docs/asvs.md', 'utf8')
  const paths = [...text.matchAll(/`([^`]+\/[^`]+)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(40)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
  expect(unproven(text.replaceAll(/\. (`[^`]+`: [^|]+)\|/g, '| $1|'))).toEqual([])
})
