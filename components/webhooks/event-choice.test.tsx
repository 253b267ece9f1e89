import { expect, test } from 'vitest'
import { eventTable } from '#lib/contract/events.ts'
import { deprecatedEvents, eventNames } from '#lib/contract/terms.ts'
import { offeredEvents } from './event-choice.tsx'

test('every event of the contract is offered except the ping, deprecated ones at the end', () => {
  const isDeprecated = (name: string) => Object.hasOwn(deprecatedEvents, name)
  expect(offeredEvents.toSorted()).toEqual(eventNames.filter((name) => name !== 'ping').toSorted())
  expect(offeredEvents.filter(isDeprecated)).toEqual(offeredEvents.slice(-Object.keys(deprecatedEvents).length))
  expect(eventNames.filter((name) => 'deprecated' in eventTable[name])).toEqual(Object.keys(deprecatedEvents))
})
