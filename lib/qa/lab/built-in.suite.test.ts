import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { type Document, parseDocument } from 'yaml'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { builtInFragments, builtInScenarios } from '#lib/qa/scenarios/load-built-in.ts'
import { parseScenario } from '#lib/qa/scenarios/parse.ts'
import type { Scenario, Step } from '#lib/qa/scenarios/schema.ts'
import { expectingSteps, flipped, projectRoot, serveBuiltInService } from '#lib/qa/scenarios/testing.ts'
import type { ConsoleSettings } from '#lib/settings/console-settings.ts'
import { startScenarios } from './scenario-runs.ts'
import { readScenarioCase, readScenarioRun } from './scenarios.ts'

/* Every built-in scenario, started and read as the lab's page does, against the service with its background work. */

const services: ConsoleSettings['services'] = { sandbox: null, production: null }
let close: () => Promise<void>
beforeAll(async () => {
  const served = await serveBuiltInService()
  services.sandbox = served.connection
  close = served.close
})
afterAll(() => close())

const desk = shareConsole({ seeded: 1, settings: { services } })
beforeEach(async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  await desk.signIn('qa')
})

const environment = 'sandbox' as const
const fragments = builtInFragments(projectRoot)
const scenarios = builtInScenarios(projectRoot)

async function endOf(chosen: { names: string[] } | { text: string }) {
  const runId = randomUUID()
  expect(await startScenarios({ environment, runId, mayDisturbOthers: true, ...chosen })).toEqual({
    kind: 'started',
    runId,
  })
  return vi.waitFor(
    async () => {
      const run = await readScenarioRun(environment, runId)
      expect(run.state).not.toBe('running')
      return run
    },
    { timeout: 240_000 },
  )
}

const isWhole = inject('extent') > 1

test.runIf(isWhole)('all cases of all built-in scenarios pass in one run of the lab', async () => {
  const run = await endOf({ names: scenarios.map(({ name }) => name) })
  const others = run.cases.filter(({ outcome }) => outcome !== 'passed')
  expect(others.map(({ title, label, step, failure }) => ({ title, label, step, failure }))).toEqual([])
  expect(run).toMatchObject({ title: 'All scenarios', state: 'passed' })
  expect(new Set(run.cases.map(({ title }) => title)).size).toBe(scenarios.length)
})

/** The file with the first case of its matrix alone. */
function firstCase(text: string, { matrix }: Scenario): Document {
  const document = parseDocument(text)
  if (matrix) {
    const one = Array.isArray(matrix)
      ? matrix.slice(0, 1)
      : Object.fromEntries(Object.entries(matrix).map(([name, values]) => [name, values.slice(0, 1)]))
    document.set('matrix', document.createNode(one))
  }
  return document
}

/** The same with the first expectation of a step flipped; it ends with that step. */
function planted(text: string, scenario: Scenario, path: readonly number[]): string {
  const document = firstCase(text, scenario)
  const step = path.reduce<Step | undefined>(
    (above, index, depth) =>
      depth === 0 ? scenario.steps[index] : above && 'repeat' in above ? above.steps[index] : undefined,
    undefined,
  )
  const [expected] = Object.entries((step && 'expect' in step && step.expect) || {})
  if (!expected) throw new Error('the step expects something')
  const place = path.flatMap((index) => ['steps', index])
  document.setIn([...place, 'expect', expected[0]], document.createNode(flipped(expected[1])))
  const { steps } = document.toJS() as { steps: unknown[] }
  document.set('steps', document.createNode(steps.slice(0, (path[0] ?? 0) + 1)))
  return String(document)
}

/** The quickest of a scenario's expectations, or with SUITES=full its last one. */
const plants = scenarios.map(({ name, text, scenario }) => {
  const paths = expectingSteps(scenario.steps)
  return { name, text, scenario, path: paths.at(isWhole ? -1 : 0) ?? [] }
})

test.each(plants)('$name passes in the lab, and fails at the step in which a failure is planted', async (plant) => {
  const { text, scenario, path } = plant
  const right = await endOf({ text: String(firstCase(text, scenario)) })
  expect(right, right.cases[0]?.failure ?? '').toMatchObject({ state: 'passed', counts: { total: 1, passed: 1 } })

  const wrong = planted(text, scenario, path)
  const read = parseScenario(wrong, 'scenario.yaml', fragments)
  const lines = read.ok ? read.value.lines : null
  const run = await endOf({ text: wrong })
  expect(run).toMatchObject({ state: 'failed', counts: { total: 1, failed: 1 } })
  expect(run.cases[0]?.failure).toMatch(/ expected .+, found /)
  const { report } = await readScenarioCase(environment, run.id, '0')
  const failed = report?.steps.filter(({ outcome }) => outcome === 'failed')
  expect(failed?.map(({ line }) => line)).toEqual([lines?.get(path.map((index) => `steps.${index}`).join('.'))])
  expect(failed?.[0]?.differences).not.toEqual([])
})
