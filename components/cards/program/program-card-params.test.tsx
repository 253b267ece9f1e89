import { expect, test } from 'vitest'
import { hktZone } from '#components/ui/time-format.ts'
import { programCardList } from './program-card-params.ts'

const nothing = programCardList.load('')

test.each([
  ['-used', 'used', 'desc'],
  ['used', 'used', 'asc'],
  ['-limitUse', 'limitUse', 'desc'],
  ['expires', 'expires', 'asc'],
])('the URL’s sort %s is sent as %s, %s', (sort, column, direction) => {
  expect(programCardList.toSearch({ ...nothing, sort }, hktZone)).toEqual({ sort: column, direction })
})

test('a sort that the list of cards does not have is left out', () => {
  expect(programCardList.toSearch({ ...nothing, sort: '-limit' }, hktZone)).toEqual({})
})
