import 'server-only'
import { and, desc, eq, gt, isNull, notInArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import type { Staff } from '#lib/auth/types.ts'
import { database, withPool } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { builtInControl } from '#lib/environments/control-plane.ts'
import { action } from '#lib/gate/action.ts'
import { settleReplaced } from '#lib/operations/resolve.ts'
import { Id } from '#lib/operations/spec.ts'
import {
  expandCases,
  listVariables,
  missingVariables,
  type Case,
  type GivenVariables,
} from '#lib/qa/scenarios/cases.ts'
import { builtInFragments } from '#lib/qa/scenarios/load-built-in.ts'
import { parseScenario } from '#lib/qa/scenarios/parse.ts'
import type { CaseReport } from '#lib/qa/scenarios/report.ts'
import { CaseLost, runCase } from '#lib/qa/scenarios/run.ts'
import type { Scenario } from '#lib/qa/scenarios/schema.ts'
import { movesClock, replacesContents, replacingCalls } from '#lib/qa/scenarios/steps.ts'
import { isSuccess, openTarget, Unreachable } from '#lib/qa/scenarios/target.ts'
import { scenarioCases, scenarioRuns } from '#lib/qa/tables.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { atShutdown } from '#lib/shared/lifecycle.ts'
import { logFailure } from '#lib/shared/log.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import { secondMs } from '#lib/shared/time.ts'
import { workUnderWay } from '#lib/shared/work-under-way.ts'
import { SandboxId } from './control.ts'
import { readIndexAgain } from './read-index-again.ts'
import { connectionIn } from './sandboxes.ts'
import { findRun, interruptedAfterMs, availableScenarios, projectRoot, requireScenario } from './scenarios.ts'
import type { StartScenariosResult } from './types.ts'

const Start = z
  .object({
    environment: EnvironmentName,
    runId: Id,
    /** Id of a sandbox of one's own; left out: the shared one. */
    sandbox: SandboxId.optional(),
    /** Names of built-in scenarios. */
    names: z.array(z.string().max(100)).min(1, 'must name a scenario').max(200).optional(),
    /** A scenario file of one's own. */
    text: z.string().max(200_000, 'must be at most 200,000 characters').optional(),
    variables: z.record(z.string().max(100), z.string().max(10_000)).optional(),
    /** The person agreed that the run moves the clock of the shared sandbox, or replaces its contents. */
    mayDisturbOthers: z.boolean().optional(),
  })
  .refine(({ names, text }) => (names === undefined) !== (text === undefined), {
    path: ['names'],
    message: 'must be given, or a text, and not both',
  })

const Stop = z.object({ environment: EnvironmentName, runId: Id })

type Planned = { scenario: Scenario; one: Case }
type PlannedRun = { runId: string; title: string; sandbox: string | null; planned: readonly Planned[]; by: Staff }

const storedRuns = 30
const mostCases = 500

/**
 * Starts a run in the background of this process. One run at a time in a sandbox: scenarios share its clock and faults. The
 * same `runId` again starts nothing more.
 */
export const startScenarios = action('startScenarios', {
  input: Start,
  run: async (
    { runId, names, text, variables = {}, sandbox = null, mayDisturbOthers },
    { staff },
  ): Promise<StartScenariosResult> => {
    const scenarios: Scenario[] = []
    if (text === undefined) scenarios.push(...(names ?? []).map((name) => requireScenario(name).scenario))
    else {
      const read = parseScenario(text, 'scenario.yaml', builtInFragments(projectRoot()))
      if (!read.ok) return { kind: 'mistakes', mistakes: read.error }
      scenarios.push(read.value)
      if (missingVariables(read.value, variables).length > 0) {
        return { kind: 'variables', variables: listVariables(read.value) }
      }
    }
    const planned = plan(scenarios, variables)
    if ('message' in planned) return { kind: 'problem', message: planned.message }
    if (sandbox === null && !mayDisturbOthers) {
      const titlesOf = (disturbs: typeof movesClock) => scenarios.filter(disturbs).map(({ scenario }) => scenario)
      const [replacing, moving] = [titlesOf(replacesContents), titlesOf(movesClock)]
      if (replacing.length > 0) return { kind: 'replaces-contents', titles: replacing }
      if (moving.length > 0) return { kind: 'moves-clock', titles: moving }
    }
    const title = scenarios.length === 1 ? (scenarios[0]?.scenario ?? '') : formatTitle(scenarios.length)
    const run = { runId, title, sandbox, planned, by: staff }
    if (await recordRun(run)) state().work.track(runAll(run, variables))
    return { kind: 'started', runId }
  },
})

/** Stops a run after the current step, whichever process runs it. */
export const stopScenarios = action('stopScenarios', {
  input: Stop,
  run: async ({ runId }): Promise<{ kind: 'stopped' }> => {
    await findRun(runId)
    await database().update(scenarioRuns).set({ isStopRequested: true }).where(eq(scenarioRuns.id, runId))
    running().get(runId)?.abort()
    return { kind: 'stopped' }
  },
})

function formatTitle(count: number): string {
  return count === availableScenarios().length ? 'All scenarios' : `${count} scenarios`
}

function plan(scenarios: readonly Scenario[], variables: GivenVariables): Planned[] | { message: string } {
  const planned: Planned[] = []
  for (const scenario of scenarios) {
    const cases = expandCases(scenario, variables)
    if (!cases.ok) return { message: cases.error.join(' ') }
    planned.push(...cases.value.map((one) => ({ scenario, one })))
  }
  return planned.length > mostCases ? { message: `A run has ${mostCases} cases at most.` } : planned
}

/** Writes the run down before it begins. False where it exists already; throws where another run is under way. */
async function recordRun({ runId, title, sandbox, planned, by }: PlannedRun): Promise<boolean> {
  return inTransaction(database(), async (tx) => {
    await lockByName(tx, 'scenario runs')
    const [existing] = await tx.select({ id: scenarioRuns.id }).from(scenarioRuns).where(eq(scenarioRuns.id, runId))
    if (existing) return false
    const alive = sql`now() - ${interruptedAfterMs / secondMs} * interval '1 second'`
    const [other] = await tx
      .select({ by: scenarioRuns.staffName })
      .from(scenarioRuns)
      .where(
        and(
          isNull(scenarioRuns.finishedAt),
          gt(scenarioRuns.heartbeatAt, alive),
          sandbox === null ? isNull(scenarioRuns.sandbox) : eq(scenarioRuns.sandbox, sandbox),
        ),
      )
    if (other) throw new AppError('SCENARIOS_RUNNING', `${other.by} runs scenarios now. Wait for the end of that run.`)
    const now = new Date()
    await tx
      .insert(scenarioRuns)
      .values({ id: runId, title, sandbox, staffId: by.id, staffName: by.name, startedAt: now, heartbeatAt: now })
    await tx.insert(scenarioCases).values(
      planned.map(({ scenario, one }, position) => ({
        runId,
        position,
        file: scenario.file,
        title: scenario.scenario,
        label: one.label,
        outcome: 'waiting' as const,
      })),
    )
    const newest = tx
      .select({ id: scenarioRuns.id })
      .from(scenarioRuns)
      .orderBy(desc(scenarioRuns.startedAt))
      .limit(storedRuns)
    await tx.delete(scenarioRuns).where(notInArray(scenarioRuns.id, newest))
    await appendAudit(tx, {
      by,
      environment: 'sandbox',
      act: 'scenario.run',
      target: { type: 'scenario-run', id: runId, parentId: null, label: title },
      outcome: 'done',
      ...(sandbox === null ? {} : { comment: `sandbox ${sandbox}` }),
    })
    return true
  })
}

const state = globalSingleton('carddeskScenarioRuns', () => {
  atShutdown('scenario runs', stopScenarioRuns)
  return { stops: new Map<string, AbortController>(), work: workUnderWay() }
})
const running = () => state().stops

/** Ends the runs of this process and waits for their end. */
export async function stopScenarioRuns(): Promise<void> {
  for (const stop of running().values()) stop.abort()
  await state().work.ended()
}

const heartbeatMs = 2 * secondMs
const saveEveryMs = 250

async function runAll(run: PlannedRun, variables: GivenVariables): Promise<void> {
  const { runId } = run
  const stop = new AbortController()
  running().set(runId, stop)
  const heartbeat = setInterval(() => void withPool('background', () => beat(runId, stop)), heartbeatMs)
  let problem: string | null = null
  try {
    await withPool('background', () => runCases(run, variables, stop.signal))
  } catch (error) {
    problem = error instanceof Unreachable ? 'The sandbox stopped responding.' : 'The run failed in the console.'
    if (!(error instanceof Unreachable)) logFailure(error, { while: 'running scenarios' })
  } finally {
    clearInterval(heartbeat)
    running().delete(runId)
    const now = new Date()
    await database()
      .update(scenarioRuns)
      .set({
        finishedAt: now,
        heartbeatAt: now,
        problem: problem ?? (stop.signal.aborted ? 'The run was stopped.' : null),
      })
      .where(eq(scenarioRuns.id, runId))
      .catch((error: unknown) => logFailure(error, { while: 'ending a run of scenarios' }))
  }
}

/** Renews the run, and stops it where another process was called to. */
async function beat(runId: string, stop: AbortController): Promise<void> {
  const [row] = await database()
    .update(scenarioRuns)
    .set({ heartbeatAt: new Date() })
    .where(eq(scenarioRuns.id, runId))
    .returning({ isStopRequested: scenarioRuns.isStopRequested })
    .catch((error: unknown) => {
      logFailure(error, { while: 'renewing a run of scenarios' })
      return []
    })
  if (row?.isStopRequested) stop.abort()
}

async function runCases(
  { runId, sandbox, planned, by }: PlannedRun,
  variables: GivenVariables,
  signal: AbortSignal,
): Promise<void> {
  const control = builtInControl('sandbox', sandbox)
  if (!control) throw new Unreachable('The sandbox is not connected.')
  const target = openTarget({
    ...connectionIn({ environment: 'sandbox', sandbox }),
    controlUrl: control.url,
    webhookKey: null,
  })
  const replacingPaths = replacingCalls.map((call) => target.prepareControl(call, {}).path)
  try {
    for (const [position, { scenario, one }] of planned.entries()) {
      if (signal.aborted) return
      const saver = caseSaver(runId, position)
      const report = await runCase(scenario, one, {
        target,
        receiver: {},
        given: variables,
        signal,
        onProgress: saver.note,
      }).catch(async (error: unknown) => {
        if (error instanceof CaseLost) await saver.save(error.report)
        throw error
      })
      await saver.save(report)
      const isReplaced = report.steps.some(
        ({ request, response }) =>
          request !== null && replacingPaths.includes(request.path) && isSuccess(response?.status ?? null),
      )
      if (sandbox === null && isReplaced) {
        await settleReplaced('sandbox', by)
        await readIndexAgain('sandbox')
      }
    }
  } finally {
    await target.close()
  }
}

/** Stores the report of the running case now and then, and in the end. */
function caseSaver(runId: string, position: number) {
  let saving: Promise<void> = Promise.resolve()
  let savedMs = 0
  const write = async (outcome: CaseReport['outcome'], report: CaseReport) => {
    await database()
      .update(scenarioCases)
      .set({ outcome, report })
      .where(and(eq(scenarioCases.runId, runId), eq(scenarioCases.position, position)))
  }
  return {
    note(report: CaseReport): void {
      if (report.outcome !== 'running' || performance.now() - savedMs < saveEveryMs) return
      savedMs = performance.now()
      // The runner continues to change the report.
      const copy = structuredClone(report)
      saving = saving
        .then(() => write('running', copy))
        .catch((error: unknown) => logFailure(error, { while: 'storing a step of a scenario' }))
    },
    async save(report: CaseReport): Promise<void> {
      await saving
      await write(report.outcome, report)
    },
  }
}
