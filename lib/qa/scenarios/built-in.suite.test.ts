import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { expandCases } from './cases.ts'
import { compareAll } from './compare.ts'
import { builtInScenarios } from './load-built-in.ts'
import { parseScenario } from './parse.ts'
import { caseText, type CaseReport } from './report.ts'
import { runCase, type RunOptions } from './run.ts'
import type { Scenario, Step } from './schema.ts'
import { openTarget, type Target } from './target.ts'
import { expectingSteps, flipped, projectRoot, serveBuiltInService } from './testing.ts'

type Fields = Record<string, unknown>

let target: Target
let close: () => Promise<void>
beforeAll(async () => {
  const served = await serveBuiltInService()
  target = openTarget(served.connection)
  close = async () => {
    await target.close()
    await served.close()
  }
})
afterAll(() => close())

function run(scenario: Scenario, variables: Fields, options: Partial<RunOptions> = {}): Promise<CaseReport> {
  return runCase(scenario, { label: null, variables }, { target, receiver: {}, ...options })
}

const scenarios = builtInScenarios(projectRoot)
const casesIn = (scenario: Scenario) => {
  const cases = expandCases(scenario)
  return cases.ok ? cases.value : []
}

describe.each(scenarios)('$name', ({ scenario }) => {
  test.each(casesIn(scenario))('passes: $label', async ({ variables }) => {
    const vacuous: string[] = []
    const report = await run(scenario, variables, {
      // Each expectation is inverted in turn and compared with the result: one that passes both ways checks nothing.
      onExpectation: ({ step, found, expected }) => {
        for (const [path, value] of Object.entries(expected)) {
          const differences = compareAll(found, { [path]: flipped(value) })
          if (differences.length === 0 || differences.some((one) => one.expected === one.found))
            vacuous.push(`${step}: ${path}`)
        }
      },
    })
    expect(report.outcome, caseText(report, true)).toBe('passed')
    expect(vacuous).toEqual([])
  })
})

/** The scenario with the first expectation of one step flipped. */
function planted(scenario: Scenario, path: readonly number[]): Scenario {
  const steps = structuredClone(scenario.steps)
  let list: Step[] = steps
  let step: Step | undefined
  for (const index of path) {
    step = list[index]
    list = step && 'repeat' in step ? step.steps : []
  }
  const expected = step && 'expect' in step ? step.expect : undefined
  for (const [key, value] of Object.entries(expected ?? {}).slice(0, 1)) {
    Object.assign(expected ?? {}, { [key]: flipped(value) })
  }
  return { ...scenario, steps }
}

/** One planted failure in each scenario, or with SUITES=full one in each of its steps. */
const plants = scenarios.flatMap(({ name, scenario }) => {
  const paths = expectingSteps(scenario.steps)
  return (inject('extent') > 1 ? paths : paths.slice(-1)).map((path) => ({ name, scenario, path }))
})

test.each(plants)('$name reports a failure planted in step $path', async ({ scenario, path }) => {
  const report = await run(planted(scenario, path), casesIn(scenario)[0]?.variables ?? {}, { longestWaitMs: 1500 })
  const text = caseText(report)
  expect(report.outcome, text).toBe('failed')
  const failed = report.steps.filter(({ outcome }) => outcome === 'failed')
  expect(failed.map(({ line }) => line)).toEqual([scenario.lines.get(path.map((index) => `steps.${index}`).join('.'))])
  expect(failed[0]?.differences).not.toEqual([])
  expect(text).toMatch(/expected .+\n +found /)
  expect(text).toContain(`line ${failed[0]?.line}`)
})

test('nothing of a card number, a PIN or a file is in a report', async () => {
  const name = 'card-physical'
  const { scenario } = scenarios.find((one) => one.name === name) ?? {}
  if (!scenario) throw new Error(`there is no ${name}`)
  const text = JSON.stringify(await run(scenario, casesIn(scenario)[0]?.variables ?? {}))
  expect(text).toContain('••••••')
  expect(text).not.toContain('271828')
  expect(text).not.toMatch(/"last6\\":\\"\d/)
})

test('a run that is stopped ends at once and removes its webhook', async () => {
  const read = parseScenario('scenario: Wait\nsteps:\n  - event: payout.updated\n    within: 2m\n', 'wait.yaml')
  if (!read.ok) throw new Error('wrong')
  const stopping = new AbortController()
  const running = run(read.value, {}, { signal: stopping.signal })
  setTimeout(() => stopping.abort(), 300)
  const report = await running
  expect(report.outcome).toBe('stopped')
  const listed = await target.send(target.prepareCall('listWebhooks', {}), { endpoint: 'listWebhooks' })
  expect(JSON.stringify(listed.body)).not.toContain(report.created[0]?.id)
})
