import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInScenarios } from './built-in.ts'
import { casesOf } from './cases.ts'
import { caseText } from './report.ts'
import { runCase } from './run.ts'
import { openTarget, type Target } from './target.ts'
import { projectRoot, serveBuiltInService } from './testing.ts'

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

describe.each(builtInScenarios(projectRoot))('$name', ({ scenario }) => {
  const cases = casesOf(scenario)
  test.each(cases.ok ? cases.value : [])('passes $label', async (one) => {
    const report = await runCase(scenario, one, { target, receiver: {} })
    expect(report.outcome, caseText(report, true)).toBe('passed')
  })
})
