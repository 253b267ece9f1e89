import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { contractProfile } from '#lib/client/service-profile.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { signWebhook } from '#lib/signing/webhook-signature.ts'
import { parseScenario } from './parse.ts'
import { openReceiver } from './receiver.ts'
import { runCase } from './run.ts'
import type { Scenario } from './schema.ts'
import type { Response, Target } from './target.ts'

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

function read(text: string, fragments: ReadonlyMap<string, Scenario> = new Map()): Scenario {
  const parsed = parseScenario(text, 'pings.yaml', fragments)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  return parsed.value
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
  const report = await runCase(read(text), { label: null, variables: { count } }, { target, receiver: null })
  expect(report.outcome).toBe(outcome)
  expect(report.steps.filter(({ outcome }) => outcome !== 'not run')).toHaveLength(steps)
})

const run = (scenario: Scenario) =>
  runCase(scenario, { label: null, variables: { ...scenario.vars } }, { target, receiver: null })

test('a fragment that runs in finally has its own finally run, too', async () => {
  const cleanup = read('scenario: Clean up\nsteps: [{ call: GET /ping }]\nfinally: [{ name: last, call: GET /ping }]\n')
  const text =
    'scenario: Pings\nsteps: [{ call: GET /ping }]\nfinally: [{ use: ./cleanup.yaml }, { call: GET /ping }]\n'
  const { outcome, steps } = await run(read(text, new Map([['./cleanup.yaml', cleanup]])))
  expect(outcome).toBe('passed')
  expect(steps.map(({ name }) => name)).toEqual(['GET /ping', 'GET /ping', 'GET /ping', 'last'])
})

test('a repetition in finally is left out where what it counts was never set', async () => {
  const scenario = read(`scenario: Pings
steps:
  - { control: GET /contents, save: { found: body.cards } }
finally:
  - { repeat: '\${length(found)}', steps: [{ call: GET /ping }] }
  - { call: GET /ping }
`)
  const { outcome, steps } = await run(scenario)
  expect(outcome).toBe('skipped')
  expect(steps.map(({ outcome }) => outcome)).toEqual(['skipped', 'passed'])
})

test.each([
  ['a fragment', "use: ./cleanup.yaml, with: { id: '${body.cards[0].id}' }"],
  ['a repetition', "repeat: '${body.message}', steps: [{ call: GET /ping }]"],
])('%s in finally whose values can’t be evaluated fails, and none of its steps is sent', async (_name, step) => {
  const cleanup = read('scenario: Clean up\nvars: { id: anybody }\nsteps: [{ call: GET /ping }]\n')
  const text = `scenario: Pings\nsteps: [{ call: GET /ping, save: { body: body } }]\nfinally: [{ ${step} }, { call: GET /ping }]\n`
  const { outcome, steps } = await run(read(text, new Map([['./cleanup.yaml', cleanup]])))
  expect(outcome).toBe('failed')
  expect(steps.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'passed'])
})

test('a case that reached its limit of steps still cleans up, up to the same limit', async () => {
  const pings = '{ repeat: 6, steps: [{ repeat: 1000, steps: [{ call: GET /ping }] }] }'
  const { steps } = await run(read(`scenario: Pings\nsteps: [${pings}]\nfinally: [${pings}]\n`))
  expect(steps.filter(({ outcome }) => outcome === 'passed')).toHaveLength(10_000)
  expect(steps.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1001)
})

test('a record that a step made is listed, also where the step expected something else of it', async () => {
  const text = `scenario: Webhooks
steps:
  - call: POST /webhooks
    body: { url: 'https://hooks.example.com/a', events: ['*'] }
    expect: { body.url: 'https://hooks.example.com/b' }
`
  const send: Target['send'] = async (request, options) => ({
    ...(await target.send(request, options)),
    body: { id: 'w-1', url: 'https://hooks.example.com/a' },
  })
  const report = await runCase(
    read(text),
    { label: null, variables: {} },
    { target: { ...target, send }, receiver: null },
  )
  expect(report).toMatchObject({ outcome: 'failed', created: [{ kind: 'webhook', id: 'w-1' }] })
})

test('after a failed step the rounds of a repetition that follow are not listed', async () => {
  const text = `scenario: Pings
steps:
  - repeat: 3
    steps: [{ call: GET /ping }, { call: GET /ping, expect: { body.message: ping } }, { call: GET /ping }]
  - call: GET /ping
`
  const { steps } = await run(read(text))
  expect(steps.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'not run', 'not run'])
})

/** A service whose webhook gets one event for each card that is locked. */
function deliveringTarget(created: Partial<Response>): Target {
  let url = ''
  return {
    ...target,
    prepareCall(name, { body }) {
      if (name === 'createWebhook') url = (body as { url: string }).url
      return { method: 'POST', path: name, body: null }
    },
    async send(request, options) {
      const response = await target.send(request, options)
      if (options.endpoint === 'createWebhook') return { ...response, body: { id: 'w-1' }, ...created }
      const event = { id: 'e-1', event: 'card.updated', data: {}, time: '2026-01-01T00:00:00Z' }
      if (options.endpoint === 'lockCard') await fetch(url, { method: 'POST', body: JSON.stringify(event) })
      return response
    },
  }
}

const locking = `scenario: Lock
steps:
  - { call: POST /cards/lock, body: { cardAccountId: ${randomUUID()}, cardId: ${randomUUID()} } }
  - { event: card.updated, within: 2s }
finally:
  - { event: card.updated, absent: true, within: 50ms }
`

test('deliveries of a sandbox that gives no key to verify them with fail the case', async () => {
  const options = { target: { ...target, hasControl: true }, receiver: {} }
  const waiting = read('scenario: Wait\nsteps: [{ event: card.updated, within: 50ms }]\n')
  const report = await runCase(waiting, { label: null, variables: {} }, options)
  expect(report.steps).toMatchObject([
    { outcome: 'failed', reason: 'The sandbox gave no key to verify its deliveries with.' },
  ])
})

test('a delivery that a step has matched is matched by none in finally', async () => {
  const options = { target: deliveringTarget({}), receiver: {} }
  const report = await runCase(read(locking), { label: null, variables: {} }, options)
  expect(report.steps.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed'])
})

test.each([
  ['count: 0, within: 300ms', 'failed'],
  ['invalidSignatures: 0, within: 300ms', 'passed'],
  ['count: 1, within: 2s', 'passed'],
])('deliveries that come while a step waits for %s: it %s', async (expected, outcome) => {
  const [expectation, within] = expected.split(', ')
  const late = deliveringTarget({})
  const send: Target['send'] = async (request, options) => {
    if (options.endpoint !== 'lockCard') return late.send(request, options)
    setTimeout(() => void late.send(request, options), 50)
    return target.send(request, options)
  }
  const [lock] = locking.split('\n  - { event')
  const scenario = read(`${lock}\n  - { deliveries: {}, ${within}, expect: { ${expectation} } }\n`)
  const options = { target: { ...late, send }, receiver: {} }
  const report = await runCase(scenario, { label: null, variables: {} }, options)
  expect(report.outcome).toBe(outcome)
})

test.each([
  [{ status: 400, body: null }, 'skipped'],
  [{ status: 404, body: null }, 'skipped'],
  [{ status: 500, body: null }, 'failed'],
  [{ status: 429, body: null }, 'failed'],
  [{ status: null, dropped: true, body: null }, 'failed'],
  [{ status: 200, body: {} }, 'failed'],
])('a case whose webhook got the response %j is %s', async (created, outcome) => {
  const options = { target: deliveringTarget(created), receiver: {} }
  const waiting = read('scenario: Wait\nsteps: [{ event: card.updated, within: 50ms }]\n')
  const report = await runCase(waiting, { label: null, variables: {} }, options)
  expect(report.outcome).toBe(outcome)
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

test('a wrong signature of one attempt is known, whichever attempt was accepted', async () => {
  const { publicKey, privateKey } = testKeyPair
  const receiver = await openReceiver({}, { profile: contractProfile, publicKeyPem: publicKey })
  const deliver = async (id: string, isSigned: boolean) => {
    const body = JSON.stringify({ id, event: 'card.updated', data: {}, time: '2026-01-01T00:00:00Z' })
    const signature = await signWebhook(isSigned ? body : 'another', readPrivateKey(privateKey))
    await fetch(receiver.url, {
      method: 'POST',
      body,
      headers: { [contractProfile.headers.webhookSignature]: signature },
    })
  }
  receiver.respondWith(500)
  await deliver('right first', true)
  await deliver('wrong first', false)
  await deliver('right', true)
  receiver.respondWith(200)
  await deliver('right first', false)
  await deliver('wrong first', true)
  await deliver('right', true)
  expect(receiver.accepted().map(({ id, signature }) => [id, signature])).toEqual([
    ['right first', 'invalid'],
    ['wrong first', 'invalid'],
    ['right', 'valid'],
  ])
  await receiver.close()
})
