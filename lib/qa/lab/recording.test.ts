import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { LabActionName } from '#lib/api/lab.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { makeSubmission, philippines, quoted } from '#lib/console/testing/payouts.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { parseScenario } from '#lib/qa/scenarios/parse.ts'
import { addCard } from '#lib/service/testing-records.ts'
import { operations } from '#lib/tables/operations.ts'
import { performLabAction } from './actions.ts'
import { readLabState } from './lab.ts'
import { recordedYaml, recordScenario } from './recording.ts'
import { startScenarios, stopScenarioRuns } from './scenario-runs.ts'
import { listScenarios, readScenarioRun } from './scenarios.ts'
import { sendExplorerRequest } from './send-explorer-request.ts'

type SendInput = Parameters<typeof sendExplorerRequest>[0]

const desk = shareConsole({ seeded: 2 })
beforeEach(() => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
})
afterEach(async () => {
  await stopScenarioRuns()
  vi.unstubAllEnvs()
})

const environment = 'sandbox' as const

test('what a person does between Record and Stop becomes a scenario; what others do does not', async () => {
  const target = await addCard(desk.service.service.db)
  const fee = (amount: number) =>
    performLabAction({
      environment,
      action: 'fee',
      given: { cardAccountId: target.cardAccountId, intent: 'x', amount },
    })
  await desk.signIn('operations')
  await fee(1)
  expect(await recordScenario({ environment, isRecording: true })).toEqual({ kind: 'recorded' })
  await fee(2)
  const operationId = randomUUID()
  expect(await runAction('card.lock', { environment, operationId, ...target })).toMatchObject({ kind: 'settled' })
  await desk.signIn('qa')
  await fee(3)
  expect(await readLabState(environment)).toMatchObject({ isRecording: false })
  await desk.signIn('operations')
  expect(await readLabState(environment)).toMatchObject({ isRecording: true })
  expect((await listScenarios(environment)).recording).toMatchObject({ isRecording: true, steps: 2 })
  await recordScenario({ environment, isRecording: false })
  expect(await readLabState(environment)).toMatchObject({ isRecording: false })
  await fee(4)

  const text = await (await recordedYaml(environment)).text()
  const read = parseScenario(text, 'recorded.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  expect(read.value.scenario).toMatch(/^Recorded \d{4}-\d\d-\d\d \d\d:\d\d HKT$/)
  expect(read.value.vars).toEqual({ cardAccountId: target.cardAccountId, cardId: target.cardId })
  expect(read.value.steps).toMatchObject([
    { control: 'POST /fees', body: { cardAccountId: '${cardAccountId}', amount: 2 }, save: { feeId: 'body.id' } },
    {
      call: 'POST /cards/lock',
      body: { cardAccountId: '${cardAccountId}', cardId: '${cardId}' },
      expect: { status: 200 },
    },
  ])
})

test('a recorded payout with an external id runs again, more than once: each run gets a quote of its own', async () => {
  await desk.signIn('operations')
  await recordScenario({ environment, isRecording: true })
  const quote = await quoted(philippines)
  const submission = makeSubmission(quote, philippines, { xid: 'payroll-1' })
  expect(await runAction('payout.submit', submission)).toMatchObject({ kind: 'settled' })
  await recordScenario({ environment, isRecording: false })
  const text = await (await recordedYaml(environment)).text()
  for (const runId of [randomUUID(), randomUUID()]) {
    await startScenarios({ environment, runId, text })
    const run = await vi.waitFor(async () => {
      const read = await readScenarioRun(environment, runId)
      expect(read.state).not.toBe('running')
      return read
    })
    expect(run.cases).toMatchObject([{ outcome: 'passed' }])
  }
})

test.each(['queued', 'approved', 'not-sent'] as const)('an operation that is %s is no step', async (state) => {
  const target = await addCard(desk.service.service.db)
  await desk.signIn('operations')
  await recordScenario({ environment, isRecording: true })
  const operationId = randomUUID()
  await runAction('card.lock', { environment, operationId, ...target })
  await recordScenario({ environment, isRecording: false })
  const steps = async () => (await listScenarios(environment)).recording?.steps
  expect(await steps()).toBe(1)
  await desk.db.update(operations).set({ state }).where(eq(operations.id, operationId))
  expect(await steps()).toBe(0)
})

test('mutating requests of the API explorer and repayments are recorded, without a PIN; reads and wrong tokens are not', async () => {
  const target = await addCard(desk.service.service.db)
  await desk.signIn('qa')
  await recordScenario({ environment, isRecording: true })
  const send = (endpoint: EndpointName, body: object | null, changes: Partial<SendInput> = {}) =>
    sendExplorerRequest({
      environment,
      endpoint,
      params: {},
      query: {},
      body: body && JSON.stringify(body),
      idempotencyKey: '',
      signing: 'valid',
      isUnchecked: false,
      ...changes,
    })
  await send('ping', null)
  await send('lockCard', target, { signing: 'other-body' })
  await send('lockCard', target, { idempotencyKey: 'try-1' })
  await send('lockCard', target, { idempotencyKey: 'try-1' })
  await send('lockCard', target)
  await send('changeCardPin', { ...target, pin: '271828' })
  await send('simulateAuthorization', { ...target, amount: 5, currency: 'HKD' })
  await performLabAction({
    environment,
    action: 'fee',
    given: { cardAccountId: target.cardAccountId, intent: 'x', amount: 2 },
  })
  await performLabAction({ environment, action: 'repay', given: { cardAccountIds: [target.cardAccountId] } })
  await recordScenario({ environment, isRecording: false })

  const text = await (await recordedYaml(environment)).text()
  expect(text).not.toContain('271828')
  const read = parseScenario(text, 'recorded.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  const ids = { cardAccountId: '${cardAccountId}', cardId: '${cardId}' }
  expect(read.value.steps).toMatchObject([
    { call: 'POST /cards/lock', key: 'recorded-1-${run}', body: ids, expect: { status: 200 } },
    { call: 'POST /cards/lock', key: 'recorded-1-${run}', body: ids, expect: { status: 200 } },
    { call: 'POST /cards/lock', body: ids, expect: { status: 400, code: 'CARD_ALREADY_LOCKED' } },
    { call: 'POST /cards/change-pin', expect: { status: 400 } },
    { call: 'POST /cards/simulate-authorization', body: ids, save: { transactionId: 'body.cardTransactionId' } },
    { control: 'POST /fees' },
    {
      call: 'POST /cardaccounts/simulate-repay',
      body: { cardAccountIds: ['${cardAccountId}'] },
      expect: { status: 200 },
    },
  ])
})

test('an action of the lab that the sandbox refuses is a step that expects the refusal', async () => {
  const { cardAccountId } = await addCard(desk.service.service.db)
  await desk.signIn('qa')
  await recordScenario({ environment, isRecording: true })
  await performLabAction({ environment, action: 'fee', given: { cardAccountId, intent: 'x', amount: -1 } })
  await performLabAction({ environment, action: 'capture', given: { transactionId: randomUUID() } })
  await performLabAction({ environment, action: 'repay', given: { cardAccountIds: ['nobody'] } })
  await recordScenario({ environment, isRecording: false })
  const text = await (await recordedYaml(environment)).text()
  const read = parseScenario(text, 'recorded.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  expect(read.value.steps).toMatchObject([
    { control: 'POST /fees', expect: { status: 400, code: 'INVALID_PARAMETERS' } },
    { control: 'POST /captures', expect: { status: 404 } },
    { call: 'POST /cardaccounts/simulate-repay', expect: { status: 400, code: 'INVALID_PARAMETERS' } },
  ])
})

test('a deletion is recorded with the id that it named, which comes from the step that made it', async () => {
  await desk.signIn('operations')
  const perform = (action: LabActionName, given: Record<string, string | number> = {}) =>
    performLabAction({ environment, action, given })
  const arm = () => perform('arm-fault', { path: '/cards/lock', status: 503 })
  await arm()
  const before = (await desk.service.control('GET', '/faults')).json.faults as { id: number }[]
  await recordScenario({ environment, isRecording: true })
  await arm()
  const { faults } = (await desk.service.control('GET', '/faults')).json as { faults: { id: number }[] }
  for (const { id } of faults) await perform('remove-fault', { id })
  await perform('remove-fault')
  // A sandbox of one's own is no part of the shared one.
  const made = await perform('make-sandbox', { from: 'seed' })
  await perform('delete-sandbox', { id: ('result' in made && made.result.sandboxId) || '' })
  await perform('take-snapshot', { name: 'Recorded' })
  const { snapshots } = (await desk.service.control('GET', '/snapshots')).json as { snapshots: { id: string }[] }
  await perform('delete-snapshot', { id: snapshots[0]?.id ?? '' })
  await recordScenario({ environment, isRecording: false })

  const read = parseScenario(await (await recordedYaml(environment)).text(), 'recorded.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  const expected = { status: 200 }
  expect(read.value.steps).toEqual([
    {
      control: 'POST /faults',
      body: { path: '/cards/lock', status: 503 },
      expect: expected,
      save: { faultId: 'body.id' },
    },
    ...before.map(({ id }) => ({ control: 'DELETE /faults', query: { id: String(id) }, expect: expected })),
    { control: 'DELETE /faults', query: { id: '${faultId}' }, expect: expected },
    { control: 'DELETE /faults', expect: expected },
    { control: 'POST /snapshots', body: { name: 'Recorded' }, expect: expected, save: { snapshotId: 'body.id' } },
    { control: 'DELETE /snapshots', query: { id: '${snapshotId}' }, expect: expected },
  ])
})
