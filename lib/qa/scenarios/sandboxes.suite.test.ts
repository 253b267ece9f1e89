import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { dayMs } from '#lib/shared/time.ts'
import { expandCases } from './cases.ts'
import { builtInScenarios } from './load-built-in.ts'
import { caseText, type CaseReport } from './report.ts'
import { runCase } from './run.ts'
import { withSandbox } from './sandbox.ts'
import { openTarget, type Target } from './target.ts'
import { projectRoot, serveBuiltInService } from './testing.ts'

let served: Awaited<ReturnType<typeof serveBuiltInService>>
beforeAll(async () => {
  served = await serveBuiltInService()
})
afterAll(() => served.close())

/** All built-in scenarios in each of 20 sandboxes take minutes. */
const isFull = inject('extent') > 1
const atOnce = isFull ? 20 : 3
const tags = isFull ? null : ['clock', 'faults']

const chosen = builtInScenarios(projectRoot)
  .map(({ scenario }) => scenario)
  .filter((scenario) => tags === null || scenario.tags?.some((tag) => tags.includes(tag)))

async function control(target: Target, call: string, body?: unknown) {
  const response = await target.send(target.prepareControl(call, body === undefined ? {} : { body }), {})
  expect(response.status, `${call} ${response.message}`).toBe(200)
  return response.body as Record<string, unknown>
}

async function stateOf(target: Target) {
  const { now } = await control(target, 'GET /clock')
  const { events } = (await control(target, 'GET /events')) as { events: { id: string }[] }
  return { aheadDays: (Date.parse(String(now)) - Date.now()) / dayMs, eventIds: events.map(({ id }) => id) }
}

/** Runs the scenarios one after the other, with a jump of the clock before and after each. */
async function runAll(target: Target, jumpDays: number) {
  const reports: CaseReport[] = []
  let jumpedDays = 0
  const jump = async () => {
    await control(target, 'POST /clock', { advance: `P${jumpDays}D` })
    jumpedDays += jumpDays
  }
  for (const scenario of chosen) {
    const cases = expandCases(scenario)
    if (!cases.ok) throw new Error(cases.error.join('\n'))
    await jump()
    for (const one of cases.value) reports.push(await runCase(scenario, one, { target, receiver: {} }))
  }
  return { reports, jumpedDays, ...(await stateOf(target)) }
}

test(`${chosen.length} scenarios in each of ${atOnce} sandboxes at once: no id, event or clock crosses over`, async () => {
  const shared = openTarget(served.connection)
  const before = { ...(await stateOf(shared)), contents: await control(shared, 'GET /contents') }
  const ended: Awaited<ReturnType<typeof runAll>>[] = []
  await Promise.all(
    Array.from({ length: atOnce }, (_, index) =>
      withSandbox(served.connection, async (target) => void ended.push(await runAll(target, index + 1))),
    ),
  )
  expect(ended).toHaveLength(atOnce)
  for (const { reports } of ended)
    for (const report of reports) expect(report.outcome, caseText(report, true)).toBe('passed')

  const eventIds = ended.flatMap((one) => one.eventIds)
  expect(eventIds.length).toBeGreaterThan(atOnce)
  expect(new Set(eventIds).size).toBe(eventIds.length)
  const created = ended.flatMap(({ reports }) => reports.flatMap((report) => report.created.map(({ id }) => id)))
  expect(new Set(created).size).toBe(created.length)

  // Equal scenarios move each clock by equal days beside the jumps.
  const besides = ended.map(({ aheadDays, jumpedDays }) => Math.round(aheadDays - jumpedDays))
  expect(new Set(besides).size, besides.join(', ')).toBe(1)
  const after = { ...(await stateOf(shared)), contents: await control(shared, 'GET /contents') }
  expect(after).toEqual({ ...before, aheadDays: expect.closeTo(0, 3) })
  await shared.close()
})
