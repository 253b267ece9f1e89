import { expect, test } from 'vitest'
import { builtInScenarios } from './load-built-in.ts'
import { movesClock } from './moves-clock.ts'
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
