import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ExcludedNote } from './excluded-note.tsx'

const textOf = (read: object | undefined) =>
  renderToStaticMarkup(<ExcludedNote read={read} />).replaceAll(/<[^>]*>/g, '')

test('a list says how many records are missing from it, and why', () => {
  expect(textOf(undefined)).toBe('')
  expect(textOf({ excluded: 0, unmatched: 0 })).toBe('')
  expect(textOf({ excluded: 1 })).toBe('1 record could not be read and is not included.')
  expect(textOf({ unmatched: 1 })).toBe('The card service ignores a filter: 1 record of others is left out.')
  expect(textOf({ excluded: 2, unmatched: 1200 })).toBe(
    '2 records could not be read and are not included. The card service ignores a filter: 1,200 records of others are left out.',
  )
})
