import { expect, test } from 'vitest'
import { findRead, type ReadName, readDefinitions, readTopic, readUrl } from './reads.ts'

test.each(Object.entries(readDefinitions))('%s is found at its path with any ids', (name, { path }) => {
  const ids = (path.match(/\[/g) ?? []).map((_, index) => `a/b ${index}`)
  const url = readUrl(name as ReadName, 'sandbox', [...ids, { q: 'x' }])
  expect(url).toMatch(new RegExp(`^/api/sandbox/${readTopic(name as ReadName)}[/?].*\\bq=x$`))
  const segments = url.replace('?q=x', '').split('/').slice(3).map(decodeURIComponent)
  expect(findRead(segments)).toEqual({ name, ids })
})

test('a fixed segment counts before an id, and other paths are not found', () => {
  expect(findRead(['identity', 'lists'])).toEqual({ name: 'listIndividualLists', ids: [] })
  expect(findRead(['fees', 'total'])).toEqual({ name: 'readFee', ids: ['total'] })
  for (const path of [[], ['constructor'], ['fees', 'x', 'y'], ['banks', 'country', 'HK']]) {
    expect(findRead(path)).toBeNull()
  }
})

test('an id is never left out of a path', () => {
  expect(() => readUrl('readFee', 'sandbox', [])).toThrow(TypeError)
})
