import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseScenario } from '#lib/scenarios/parse.ts'
import { addCard } from '#lib/service/testing-records.ts'
import { act } from '../desk/operations/act.ts'
import { shareConsole } from '../testing/open-console.ts'
import { performLabAction } from './actions.ts'
import { recordedYaml, recordScenario } from './recording.ts'
import { listScenarios } from './scenarios.ts'

const desk = shareConsole({ seeded: 2 })
beforeEach(() => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
})
afterEach(() => void vi.unstubAllEnvs())

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
  expect(await act('card.lock', { environment, operationId, ...target })).toMatchObject({ kind: 'settled' })
  await desk.signIn('qa')
  await fee(3)
  await desk.signIn('operations')
  expect((await listScenarios(environment)).recording).toMatchObject({ isRecording: true, steps: 2 })
  await recordScenario({ environment, isRecording: false })
  await fee(4)

  const text = await (await recordedYaml(environment)).text()
  const read = parseScenario(text, 'recorded.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
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
