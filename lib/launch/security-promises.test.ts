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

/** The requirements of ASVS 5.0 at levels 1 and 2, by chapter: `1.1-2` of chapter 4 is 4.1.1 and 4.1.2. */
const asvsChapters = [
  '1.1-2 2.1-9 3.1-11 4.1-3 5.1-2',
  '1.1-3 2.1-3 3.1-4 4.1-1',
  '2.1-2 3.1-4 4.1-6 5.1-5 7.1-2',
  '1.1-3 2.1-1 3.1-2 4.1-4',
  '1.1-1 2.1-3 3.1-2 4.1-3',
  '1.1-3 2.1-12 3.1-4 4.1-4 5.1-5 6.1-3 8.1-4',
  '1.1-3 2.1-4 3.1-2 4.1-5 5.1-2 6.1-2',
  '1.1-2 2.1-3 3.1-1 4.1-1',
  '1.1-3 2.1-4',
  '1.1-2 2.1-2 3.1-4 4.1-11 5.1-5 6.1-2 7.1-3',
  '1.1-2 2.1-3 3.1-3 4.1-4 5.1-1 6.1-1',
  '1.1-3 2.1-2 3.1-4',
  '1.1-1 2.1-5 3.1-2 4.1-5',
  '1.1-2 2.1-4 3.1-3',
  '1.1-3 2.1-3 3.1-7',
  '1.1-1 2.1-5 3.1-4 4.1-3 5.1-3',
  '1.1-1 2.1-4 3.1-2',
]
const asvsIds = asvsChapters.flatMap((sections, index) =>
  [...sections.matchAll(/(\d+)\.1-(\d+)/g)].flatMap(([, section, last]) =>
    Array.from({ length: Number(last) }, (_, before) => `${index + 1}.${section}.${before + 1}`),
  ),
)

test('docs/asvs.md has each requirement once, in order, with files and tests that there are', () => {
  const text = readFileSync('docs/asvs.md', 'utf8')
  const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) +\| (.+?) +\| (.+?) +\|$/gm)]
  expect(rows.map(([, id]) => id)).toEqual(asvsIds)
  expect(rows.filter(([, , asks = '']) => asks.split(' ').length > 8)).toEqual([])
  expect([...text.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([])
  expect(unproven(text)).toEqual([])

  const having = (result: string) => rows.filter(([, , , evidence]) => evidence?.startsWith(`${result}: `))
  const counts = ['Not applicable', 'Deployment', 'Open'].map((result) => [result, having(result).length] as const)
  const holding = rows.length - counts.reduce((sum, [, count]) => sum + count, 0)
  for (const [result, count] of [['Holds', holding] as const, ...counts, ['All', rows.length] as const])
    expect(text).toMatch(new RegExp(`^\\| ${result} +\\| ${count} +\\|$`, 'm'))
  const summary = text.split('## Open')[1]?.split('## ')[0] ?? ''
  const listed: string[] = summary.match(/\d+\.\d+\.\d+/g) ?? []
  expect(asvsIds.filter((id) => listed.includes(id))).toEqual(having('Open').map(([, id]) => id))
  expect(new Set(listed).size).toBe(listed.length)
})
