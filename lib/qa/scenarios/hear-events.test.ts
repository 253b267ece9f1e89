import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
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

test('what a restore brings back is no news, and what happens after a restore or a reset is', async () => {
  const served = await serveBuiltInService(0)
  const target = openTarget(served.connection)
  const emit = (name: string) =>
    callControl(target, 'POST /events', { body: { event: 'card.updated', data: { name } } })
  const names = ({ body }: { body: string }) => (JSON.parse(body) as { data: { name: string } }).data.name
  await emit('old')
  const { id } = await callControl<{ id: string }>(target, 'POST /snapshots', { body: { name: 'Before' } })
  const stopping = new AbortController()
  const heard: string[] = []
  const hearing = (async () => {
    for await (const one of hearEvents(target, { since: null, event: undefined, signal: stopping.signal })) {
      heard.push(`${one.kind} ${names(one)}`)
    }
  })()
  const expected: string[] = []
  const hears = async (name: string) => {
    await emit(name)
    expected.push(`live ${name}`)
    await vi.waitFor(() => expect(heard).toEqual(expected), 5000)
  }
  let begun = 0
  await vi.waitFor(async () => {
    await emit(`begun ${++begun}`)
    expect(heard.length).toBeGreaterThan(0)
  }, 5000)
  await vi.waitFor(() => expect(heard.at(-1)).toBe(`live begun ${begun}`), 5000)
  expected.push(...heard)
  await callControl(target, 'POST /reset')
  await hears('after the reset')
  await callControl(target, 'POST /snapshots/restore', { body: { id } })
  await hears('after the restore')
  stopping.abort()
  await hearing.catch(() => undefined)
  await target.close()
  await served.close()
})

test('goes on where it was once a service that was away responds again, and says so once', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    const count = asked < 5 ? 2 : 3
    const events = Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, position: index + 1 }))
    if (asked === 3 || asked === 4) response.writeHead(503).end()
    else response.end(JSON.stringify({ events, resends: [], latest: { event: count, resend: 0 } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = openTarget({
    baseUrl: `${origin}/v1`,
    controlUrl: `${origin}/control`,
    accessKey: '5a0d0b0e-0000-4000-8000-000000000001',
    privateKey: null,
    webhookKey: null,
  })
  const stopping = new AbortController()
  const said: string[] = []
  const options = {
    since: null,
    event: undefined,
    signal: stopping.signal,
    onLost: (reason: string) => said.push(reason),
    onFound: () => said.push('found'),
  }
  for await (const { id } of hearEvents(target, options)) {
    said.push(`heard ${id}`)
    stopping.abort()
  }
  expect(said).toEqual(['GET /events of the control plane: HTTP 503.', 'found', 'heard 3'])
  await target.close()
})
