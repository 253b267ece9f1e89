import { expect, test } from 'vitest'
import { callControl } from './control-plane.ts'
import { hearEvents } from './hear-events.ts'
import { openTarget } from './target.ts'
import { serveBuiltInService } from './testing.ts'

test('what happens while the history is heard is no part of it', async () => {
  const served = await serveBuiltInService(0)
  const target = openTarget(served.connection)
  const emit = (name: string) =>
    callControl(target, 'POST /events', { body: { event: 'card.updated', data: { name } } })
  const stopping = new AbortController()
  const kinds: string[] = []
  await emit('before')
  const since = '2020-01-01T00:00:00Z'
  for await (const { kind } of hearEvents(target, { since, event: 'card.updated', signal: stopping.signal })) {
    kinds.push(kind)
    if (kinds.length === 1) await emit('meanwhile')
    else stopping.abort()
  }
  expect(kinds).toEqual(['history', 'live'])
  await target.close()
  await served.close()
})
