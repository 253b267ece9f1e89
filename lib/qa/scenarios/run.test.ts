import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { contractProfile } from '#lib/client/service-profile.ts'
import { parseScenario } from './parse.ts'
import { openReceiver } from './receiver.ts'
import { runCase } from './run.ts'
import type { Target } from './target.ts'

/** A service that accepts everything. */
const target: Target = {
  hasControl: false,
  profile: contractProfile,
  prepareCall: () => ({ method: 'GET', path: '/v1/ping', body: null }),
  prepareControl: () => ({ method: 'GET', path: '/control/state', body: null }),
  send: async () => ({
    status: 200,
    code: null,
    message: null,
    body: { message: 'pong' },
    replayed: false,
    dropped: false,
    requestId: null,
    durationMs: 1,
  }),
  open: async () => ({ status: 200, text: '' }),
  webhookKey: async () => null,
  close: async () => undefined,
}

test.each([
  ['3', 'passed', 3],
  ['0', 'passed', 0],
  ['three', 'failed', 1],
  ['-1', 'failed', 1],
  ['2.5', 'failed', 1],
  ['1001', 'failed', 1],
])('a repetition by a variable that is %s %s', async (count, outcome, steps) => {
  const text = 'scenario: Pings\nvars: { count: 1 }\nsteps:\n  - repeat: ${count}\n    steps: [{ call: GET /ping }]\n'
  const parsed = parseScenario(text, 'pings.yaml')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  const report = await runCase(parsed.value, { label: null, variables: { count } }, { target, receiver: null })
  expect(report.outcome).toBe(outcome)
  expect(report.steps.filter(({ outcome }) => outcome !== 'not run')).toHaveLength(steps)
})

test('a delivery that breaks off neither counts nor stops the receiver', async () => {
  const receiver = await openReceiver({}, { profile: contractProfile, publicKeyPem: null })
  const { port, hostname } = new URL(receiver.url)
  const broken = connect(Number(port), hostname)
  await once(broken, 'connect')
  broken.write('POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 100\r\n\r\n{"id":', () => broken.destroy())
  await once(broken, 'close')
  const body = JSON.stringify({ id: '1', event: 'card.updated', data: {}, time: '2026-01-01T00:00:00Z' })
  expect((await fetch(receiver.url, { method: 'POST', body })).status).toBe(200)
  expect(receiver.counts().attempts).toBe(1)
  await receiver.close()
})
