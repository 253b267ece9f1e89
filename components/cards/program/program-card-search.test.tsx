import { expect, test } from 'vitest'
import { defineListParams } from '#components/filters/list-params.ts'
import { hktZone } from '#components/ui/time-format.ts'
import { programCardSearch } from '#lib/api/cards.ts'

const programCardList = defineListParams(programCardSearch)

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
