import { expect, test } from 'vitest'
import { builtInScenarios } from './load-built-in.ts'
import { movesClock, needsReceiver, savedNames } from './steps.ts'
import { projectRoot } from './testing.ts'

test('a scenario moves the clock where any of its steps, repetitions or fragments does', () => {
  const named = (name: string) => builtInScenarios(projectRoot).find((one) => one.name === name)
  const moving = builtInScenarios(projectRoot).filter(({ scenario }) => movesClock(scenario))
  const texts = builtInScenarios(projectRoot).filter(({ text }) => text.includes('POST /clock'))
  expect(moving.map(({ name }) => name)).toEqual(expect.arrayContaining(texts.map(({ name }) => name)))
  const still = named('fee-waived')?.scenario
  expect(still && movesClock(still)).toBe(false)
  const [jump] = moving
  const nested = still &&
    jump && {
      ...still,
      steps: [{ repeat: 2, steps: [{ use: './jump.yaml' }] }],
      fragments: new Map([['./jump.yaml', jump.scenario]]),
    }
  expect(nested && movesClock(nested)).toBe(true)
})

test('a webhook is needed where a fragment waits for deliveries, in its last steps too', () => {
  const waiting = { steps: [], finally: [{ event: 'card.updated' }], fragments: new Map() }
  const fragments = new Map([['./waiting.yaml', waiting]])
  expect(needsReceiver({ steps: [{ use: './waiting.yaml' }], fragments })).toBe(true)
  expect(needsReceiver({ steps: [{ call: 'GET /ping' }], fragments })).toBe(false)
})

test('variables are saved by a fragment of a fragment, which only the latter knows', () => {
  const inner = { steps: [{ call: 'GET /ping', save: { pong: 'body.message' } }], fragments: new Map() }
  const outer = {
    steps: [{ repeat: 2, steps: [{ use: './inner.yaml' }] }],
    fragments: new Map([['./inner.yaml', inner]]),
  }
  const fragments = new Map([['./outer.yaml', outer]])
  expect(savedNames({ steps: [{ use: './outer.yaml' }], fragments })).toEqual(['pong'])
})
