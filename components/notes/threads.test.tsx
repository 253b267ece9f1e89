import { expect, test } from 'vitest'
import type { Note } from '#lib/console/notes/types.ts'
import { toThreads } from './notes-panel.tsx'

const note = (id: string, answersId: string | null = null) => ({ id, answersId }) as Note
const threadsOf = (notes: readonly Note[]) =>
  toThreads(notes).map(({ note, answers }) => [note.id, ...answers.map(({ id }) => id)].join(' '))

test('an answer to an answer stands in the thread of the first note', () => {
  expect(threadsOf([note('c', 'b'), note('other'), note('b', 'a'), note('a')])).toEqual(['other', 'a b c'])
})

test('an answer whose note is not shown begins a thread', () => {
  expect(threadsOf([note('c', 'b'), note('b', 'gone')])).toEqual(['b c'])
})
