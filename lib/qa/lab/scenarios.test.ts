import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { reads } from '#lib/console/reads.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { scenarioCases, scenarioRuns } from '#lib/qa/tables.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { startScenarios, stopScenarioRuns, stopScenarios } from './scenario-runs.ts'
import { readScenarioCase, readScenarioRun, scenarioJunit, scenarioYaml } from './scenarios.ts'

const { listScenarios } = reads
const desk = shareConsole({ seeded: 4 })
beforeEach(() => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
})
afterEach(async () => {
  await stopScenarioRuns()
  vi.unstubAllEnvs()
})

const environment = 'sandbox' as const
const passing = 'scenario: Open an account\nsteps:\n  - use: account\n  - call: GET /ping\n'
const failing = `${passing}    expect: { body.message: ping }\n`

async function ended(runId: string) {
  return vi.waitFor(
    async () => {
      const run = await readScenarioRun(environment, runId)
      expect(run.state).not.toBe('running')
      return run
    },
    { timeout: 15_000 },
  )
}

test('a run continues in the background, is stored with each step, and is downloaded as JUnit XML', async () => {
  const by = await desk.signIn('qa')
  const runId = randomUUID()
  expect(await startScenarios({ environment, runId, text: failing })).toEqual({ kind: 'started', runId })
  // The same click again.
  expect(await startScenarios({ environment, runId, text: failing })).toEqual({ kind: 'started', runId })
  const run = await ended(runId)
  expect(run).toMatchObject({
    state: 'failed',
    title: 'Open an account',
    by: by?.name,
    counts: { total: 1, failed: 1 },
  })
  expect(run.cases[0]).toMatchObject({
    outcome: 'failed',
    step: 'GET /ping',
    failure: 'body.message expected "ping", found "pong"',
  })
  const { report } = await readScenarioCase(environment, runId, '0')
  expect(report?.steps.map(({ outcome }) => outcome)).toEqual(['passed', 'failed'])
  expect(report?.created).toMatchObject([{ kind: 'card account' }])
  const junit = await scenarioJunit(environment, runId)
  expect(junit.headers.get('content-disposition')).toContain('scenarios.junit.xml')
  expect(await junit.text()).toContain('found &quot;pong&quot;')
  const audited = await desk.db.select().from(auditEntries).where(eq(auditEntries.targetId, runId))
  expect(audited).toMatchObject([{ act: 'scenario.run', outcome: 'done', staffName: by?.name }])
  expect((await listScenarios(environment)).runs[0]).toMatchObject({ id: runId, state: 'failed' })
})

test('a wrong file is named with line and column, and nothing runs', async () => {
  await desk.signIn('operations')
  const runId = randomUUID()
  const text = `${passing}  - call: GET /pin\n`
  expect(await startScenarios({ environment, runId, text })).toEqual({
    kind: 'mistakes',
    mistakes: [{ line: 5, column: 11, message: expect.stringContaining('call must be a method and a path') }],
  })
  await expect(readScenarioRun(environment, runId)).rejects.toMatchObject({ code: 'SCENARIO_NOT_FOUND' })
  expect(await startScenarios({ environment, runId, text: `${passing}vars: { id: null }\n` })).toMatchObject({
    kind: 'variables',
    variables: [
      { name: 'id', value: null },
      { name: 'accountType', value: 'credit' },
      { name: 'currency', value: 'HKD' },
      { name: 'limit', value: '20000' },
    ],
  })
  expect(await startScenarios({ environment, runId })).toMatchObject({ kind: 'invalid' })
})

test.each<[string, { text: string } | { names: string[] }, string]>([
  ['a file', { text: `${passing}  - control: POST /clock\n    body: { advance: PT1M }\n` }, 'Open an account'],
  ['a built-in one', { names: ['references', 'payout-quote-expiry'] }, 'Payout quote expired and used twice'],
])('a run that moves the clock of the shared sandbox is asked about first: %s', async (_name, chosen, title) => {
  await desk.signIn('qa')
  const runId = randomUUID()
  expect(await startScenarios({ environment, runId, ...chosen })).toEqual({ kind: 'moves-clock', titles: [title] })
  await expect(readScenarioRun(environment, runId)).rejects.toMatchObject({ code: 'SCENARIO_NOT_FOUND' })
  expect(await startScenarios({ environment, runId, mayDisturbOthers: true, ...chosen })).toMatchObject({
    kind: 'started',
  })
})

test('a run that replaces what the shared sandbox has is asked about first, and settles what it replaced', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/cards/lock')) return false
    response.writeHead(500).end()
    return true
  }
  const operationId = randomUUID()
  const input = { ...target, operationId, reason: 'suspected-fraud' } as const
  expect(await runAction('card.lock', input)).toMatchObject({ operation: { outcome: { state: 'unknown' } } })
  delete desk.intercept.before
  const replacing = (step: string) => `${passing}  - repeat: 1\n    steps: [{ ${step} }]\n`
  const reset = replacing('control: POST /reset')
  const restore = replacing('control: POST /snapshots/restore, body: { id: x }')
  for (const text of [reset, restore]) {
    expect(await startScenarios({ environment, runId: randomUUID(), text })).toEqual({
      kind: 'replaces-contents',
      titles: ['Open an account'],
    })
  }
  const outcome = async () => (await reads.readOperation('sandbox', operationId)).outcome
  const refused = randomUUID()
  await startScenarios({ environment, runId: refused, mayDisturbOthers: true, text: restore })
  expect(await ended(refused)).toMatchObject({ state: 'failed' })
  expect(await outcome()).toMatchObject({ state: 'unknown' })
  const runId = randomUUID()
  await startScenarios({ environment, runId, mayDisturbOthers: true, text: reset })
  expect(await ended(runId)).toMatchObject({ state: 'passed' })
  expect(await outcome()).toMatchObject({ state: 'refused', code: 'CONTENTS_REPLACED' })
})

test('a run takes existing objects as variables, and a value that is none of them is named', async () => {
  await desk.signIn('qa')
  const [account] = await desk.service.service.db.select({ id: cardAccounts.id }).from(cardAccounts).limit(1)
  const text = `scenario: Read\nvars: { cardAccountId: null }\nsteps:\n  - call: GET /cardaccounts\n    query: { cardAccountId: '\${cardAccountId}' }\n    expect: { body.cardaccounts: { $length: 1 } }\n`
  const runId = randomUUID()
  const variables = { cardAccountId: account?.id ?? '' }
  expect(await startScenarios({ environment, runId, text, variables })).toEqual({ kind: 'started', runId })
  expect(await ended(runId)).toMatchObject({ state: 'passed' })
  expect(await startScenarios({ environment, runId: randomUUID(), names: ['dispute'], variables })).toEqual({
    kind: 'problem',
    message: 'cardAccountId isn’t a variable of dispute.yaml.',
  })
  const listed = (await listScenarios(environment)).scenarios.find(({ name }) => name === 'dispute')
  expect(listed?.variables).toContainEqual({ name: 'limit', value: '20000' })
})

test('one run at a time; a stopped run ends at once, and one whose process died is interrupted', async () => {
  await desk.signIn('qa')
  const runId = randomUUID()
  const waiting = 'scenario: Wait\nsteps:\n  - event: payout.updated\n    within: 2m\n'
  await startScenarios({ environment, runId, text: waiting })
  const other = await startScenarios({ environment, runId: randomUUID(), text: passing })
  expect(other).toMatchObject({ kind: 'refused', outcome: { code: 'SCENARIOS_RUNNING' } })
  expect(await stopScenarios({ environment, runId })).toEqual({ kind: 'stopped' })
  expect(await ended(runId)).toMatchObject({ state: 'stopped', problem: 'The run was stopped.' })

  const old = new Date(Date.now() - 60_000)
  await desk.db.update(scenarioRuns).set({ finishedAt: null, heartbeatAt: old }).where(eq(scenarioRuns.id, runId))
  const [stored] = await desk.db.select().from(scenarioCases).where(eq(scenarioCases.runId, runId))
  const report = stored?.report && {
    ...stored.report,
    outcome: 'running' as const,
    steps: stored.report.steps.map((step) => ({ ...step, outcome: 'running' as const })),
  }
  await desk.db.update(scenarioCases).set({ outcome: 'running', report }).where(eq(scenarioCases.runId, runId))
  expect(await readScenarioRun(environment, runId)).toMatchObject({
    state: 'interrupted',
    cases: [{ outcome: 'stopped' }],
  })
  expect(await readScenarioCase(environment, runId, '0')).toMatchObject({
    report: { outcome: 'stopped', steps: [{ outcome: 'not run' }] },
  })
  const next = randomUUID()
  expect(await startScenarios({ environment, runId: next, names: ['references'] })).toMatchObject({ kind: 'started' })
  expect(await ended(next)).toMatchObject({ state: 'passed', title: 'External references' })
})

test('the lab has no scenarios in production, nor where a real service is connected', async () => {
  await desk.signIn('qa')
  expect((await listScenarios(environment)).scenarios.length).toBeGreaterThan(20)
  const yaml = await (await scenarioYaml(environment, 'dispute')).text()
  expect(yaml).toContain('scenario: Charge, capture and dispute')
  expect(yaml).toMatch(/^# yaml-language-server: \$schema=http:\/\/127\.0\.0\.1:3000\/scenario\.schema\.json\n/)
  const missing = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => (isAppError(error) ? error.status : error),
    )
  expect(await missing(listScenarios('production'))).toBe(404)
  vi.stubEnv('BUILT_IN_SERVICE', 'off')
  expect(await missing(listScenarios(environment))).toBe(404)
  expect(await startScenarios({ environment, runId: randomUUID(), names: ['references'] })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'LAB_NOT_FOUND' },
  })
})
