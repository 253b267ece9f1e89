import { expect, test } from 'vitest'
import { filterCommands, groupCommands, inOrder } from './command-palette.tsx'
import type { Command } from './commands.tsx'
import { isCurrent } from './side-bar.tsx'

const commands: Command[] = [
  { id: '1', label: 'Discard draft', group: 'Actions', href: '/1' },
  { id: '2', label: 'Lock card', group: 'Actions', href: '/2', keywords: 'freeze' },
  { id: '3', label: 'Card accounts', group: 'Go to', href: '/3' },
]

const idsFor = (query: string) => filterCommands(commands, query).map(({ id }) => id)

test('puts a label that begins with the query first, then words that begin with it, then letters inside', () => {
  expect(idsFor('card')).toEqual(['3', '2', '1'])
})

test('finds by a synonym, and requires every typed word', () => {
  expect(idsFor('FREEZE')).toEqual(['2'])
  expect(idsFor('lock accounts')).toEqual([])
})

test('finds a page with a letter wrong only where nothing else matches', () => {
  expect(idsFor('crad')).toEqual(['2', '3'])
  expect(idsFor('accuont')).toEqual(['3'])
  expect(idsFor('zzzz')).toEqual([])
})

test('keeps the order while nothing is typed', () => {
  expect(idsFor('  ')).toEqual(['1', '2', '3'])
})

test('groups without losing a command', () => {
  expect(groupCommands(commands).map(({ group, commands }) => [group, commands.length])).toEqual([
    ['Actions', 2],
    ['Go to', 1],
  ])
})

test('marks the navigation entry of a page below it, and an exact entry only on its own URL', () => {
  const item = { href: '/sandbox/cards', label: 'Cards', icon: null }
  expect(isCurrent(item, '/sandbox/cards/1')).toBe(true)
  expect(isCurrent(item, '/sandbox/cards-archive')).toBe(false)
  expect(isCurrent({ ...item, isExact: true }, '/sandbox/cards/1')).toBe(false)
})

test('people come before deeds, unless a word of the deed is typed whole', () => {
  const changePin: Command = { id: 'pin', label: 'Change PIN', group: 'Card 4821', onSelect: () => undefined }
  const chan: Command = { id: 'chan', label: 'Chan Tai Man', group: 'Accounts', href: '/chan' }
  const found = (query: string) =>
    inOrder(filterCommands([changePin, ...commands], query), [chan], [changePin], query).map(({ id }) => id)
  expect(found('chan')).toEqual(['chan', 'pin'])
  expect(found('change')).toEqual(['pin', 'chan'])
  expect(found('change p')).toEqual(['pin', 'chan'])
})
