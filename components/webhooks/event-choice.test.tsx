import { expect, test } from 'vitest'
import { eventTable } from '#lib/contract/events.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { offeredEvents } from './webhook-dialogs.tsx'

test('every event of the contract is offered except deprecated ones and the ping', () => {
  const expected = eventNames.filter((name) => name !== 'ping' && !('deprecated' in eventTable[name]))
  expect(offeredEvents.toSorted()).toEqual(expected.toSorted())
})
