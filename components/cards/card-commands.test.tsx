import { expect, test } from 'vitest'
import { toActingPerson } from '#components/environment/use-permissions.ts'
import { rolePermissions } from '#lib/auth/permissions.ts'
import { cardCommands, typedDeed } from './card-commands.tsx'

test.each([
  ['lock 4821', ['lock'], '4821'],
  ['4821 lock', ['lock'], '4821'],
  ['lock lee', ['lock'], 'lee'],
  ['Lee Ka Yan FREEZE', ['lock'], 'Lee Ka Yan'],
  ['unlock card 4821', ['unlock'], '4821'],
  ['change pin 0704', ['change-pin'], '0704'],
  ['0704 reveal', ['reveal'], '0704'],
  ['replace 0704', ['replace'], '0704'],
  ['stolen chan', ['lost'], 'chan'],
])('“%s” is a deed and whom it is done to', (query, deeds, rest) => {
  expect(typedDeed(query)).toEqual({ deeds, rest, isWhole: true })
})

test('the beginning of a word may be a deed or a name; one word alone is no deed', () => {
  expect(typedDeed('susp 4821')).toEqual({ deeds: ['suspend'], rest: '4821', isWhole: false })
  expect(typedDeed('lock')).toBeNull()
  expect(typedDeed('chan tai man')).toMatchObject({ isWhole: false })
  expect(typedDeed('wong 4821')).toBeNull()
})

test('a deed is offered for the cards whose status and role allow it', () => {
  const card = (id: string, status: string) =>
    ({ kind: 'card', id, parentId: 'a', label: '4821', hint: 'Lee', status }) as const
  const cards = [card('active', 'active'), card('locked', 'locked'), card('gone', 'cancelled')]
  const offered = (query: string, role: 'support' | 'operations') => {
    const typed = typedDeed(query)
    const person = toActingPerson('sandbox', rolePermissions[role])
    return typed && cardCommands({ environment: 'sandbox', person }, typed, cards).map(({ href }) => href)
  }
  expect(offered('lock lee', 'support')).toEqual(['/sandbox/card-accounts/a/cards/active?action=lock'])
  expect(offered('unlock lee', 'support')).toEqual(['/sandbox/card-accounts/a/cards/locked?action=unlock'])
  expect(offered('reveal lee', 'support')).toHaveLength(2)
  expect(offered('replace lee', 'support')).toEqual([])
  expect(offered('replace lee', 'operations')).toHaveLength(3)
})

test('of the only card that is found, an action that is not possible says why, and leads to the card', () => {
  const found = (query: string, role: 'support' | 'viewer', status: string) => {
    const typed = typedDeed(query)
    const card = { kind: 'card', id: 'c', parentId: 'a', label: '4242', hint: 'Lee', status } as const
    const person = toActingPerson('sandbox', rolePermissions[role])
    return typed && cardCommands({ environment: 'sandbox', person }, typed, [card])
  }
  const href = '/sandbox/card-accounts/a/cards/c'
  expect(found('4242 lock', 'support', 'locked')).toMatchObject([
    { label: 'Not possible: Lock · card ending 4242', hint: 'Already locked.', href },
  ])
  expect(found('reveal 4242', 'support', 'cancelled')).toMatchObject([{ hint: 'The card is cancelled.', href }])
  expect(found('lock 4242', 'viewer', 'active')).toMatchObject([
    { hint: expect.stringMatching(/^Only .*Support/), href },
  ])
})
