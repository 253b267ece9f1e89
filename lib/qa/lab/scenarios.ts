import 'server-only'
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { database } from '#lib/db/connection.ts'
import { expandCases, listVariables } from '#lib/qa/scenarios/cases.ts'
import { builtInScenarios, type BuiltInScenario } from '#lib/qa/scenarios/load-built-in.ts'
import { failureText, junitXml, runReport, type StepReport } from '#lib/qa/scenarios/report.ts'
import { scenarioCases, scenarioRuns } from '#lib/qa/tables.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime, secondMs } from '#lib/shared/time.ts'
import { type LabSearch, sandboxIn } from './control.ts'
import { readOwnRecording } from './recording.ts'
import { fileResponse, scenarioSchemaUrl } from './scenario-file.ts'
import type {
  ListedScenario,
  Recording,
  ScenarioCaseDetail,
  ScenarioCaseSummary,
  ScenarioRun,
  ScenarioRunState,
  ScenarioRunSummary,
} from './types.ts'

/** A run whose process has not renewed its lease for this long was interrupted. */
export const interruptedAfterMs = 20 * secondMs
const listedRuns = 10

let builtIn: BuiltInScenario[] | undefined

/** The built-in scenarios, read once a process. */
export function availableScenarios(): BuiltInScenario[] {
  return (builtIn ??= builtInScenarios(projectRoot()))
}

/** Where the built-in scenarios are; a build keeps its modules elsewhere. */
export function projectRoot(): string {
  return process.env.CARDDESK_ROOT ?? process.cwd()
}

/** The built-in scenarios, the newest runs in a sandbox and what the reader has recorded. */
export async function listScenarios(
  _environment: Environment,
  search?: LabSearch,
): Promise<{ scenarios: ListedScenario[]; runs: ScenarioRunSummary[]; recording: Recording | null }> {
  const { staff } = await requireCurrentStaff()
  const sandbox = sandboxIn(search)
  const rows = await database()
    .select()
    .from(scenarioRuns)
    .where(sandbox === null ? isNull(scenarioRuns.sandbox) : eq(scenarioRuns.sandbox, sandbox))
    .orderBy(desc(scenarioRuns.startedAt))
    .limit(listedRuns)
  const runs = await Promise.all(rows.map(async (row) => toSummary(row, await readOutcomes(row.id))))
  const scenarios = availableScenarios().map(({ name, scenario }) => {
    const cases = expandCases(scenario)
    return {
      name,
      title: scenario.scenario,
      description: scenario.description ?? '',
      tags: scenario.tags ?? [],
      cases: cases.ok ? cases.value.length : 1,
      variables: listVariables(scenario),
    }
  })
  return { scenarios, runs, recording: await readOwnRecording(staff.id) }
}

/** A run with its cases, without their steps. */
export async function readScenarioRun(environment: Environment, runId: string): Promise<ScenarioRun> {
  const row = await findRun(runId)
  const cases = await readCasesOfRun(runId)
  const summary = toSummary(row, cases)
  if (summary.state === 'running') return { ...summary, cases }
  // The one that was under way when the run broke off.
  const stopped = cases.map((one) => (one.outcome === 'running' ? { ...one, outcome: 'stopped' as const } : one))
  return { ...summary, cases: stopped }
}

/** The steps of one case of a run. */
export async function readScenarioCase(
  environment: Environment,
  runId: string,
  position: string,
): Promise<ScenarioCaseDetail> {
  const run = await findRun(runId)
  const [row] = /^\d{1,4}$/.test(position)
    ? await database()
        .select({ report: scenarioCases.report })
        .from(scenarioCases)
        .where(and(eq(scenarioCases.runId, runId), eq(scenarioCases.position, Number(position))))
    : []
  if (!row) throw new AppError('SCENARIO_NOT_FOUND', 'This run has no such case.')
  const { report } = row
  if (report?.outcome !== 'running' || isUnderWay(run)) return { report }
  const steps = report.steps.map((step) =>
    step.outcome === 'running' ? { ...step, outcome: 'not run' as const } : step,
  )
  return { report: { ...report, outcome: 'stopped', steps } }
}

/** A built-in scenario. Throws `SCENARIO_NOT_FOUND`. */
export function requireScenario(name: string): BuiltInScenario {
  const found = availableScenarios().find((one) => one.name === name)
  if (!found) throw new AppError('SCENARIO_NOT_FOUND', 'There is no such scenario.')
  return found
}

/** The YAML of a built-in scenario, as a file that an editor completes wherever it is stored. */
export async function scenarioYaml(environment: Environment, name: string): Promise<Response> {
  const text = requireScenario(name).text.replace(/(?<=^# yaml-language-server: \$schema=)\S+/, scenarioSchemaUrl())
  return fileResponse(`${name}.yaml`, 'application/yaml', text)
}

/** JUnit XML of the cases of a run that have ended. */
export async function scenarioJunit(environment: Environment, runId: string): Promise<Response> {
  const { startedAt, finishedAt, heartbeatAt } = await findRun(runId)
  const rows = await database()
    .select({ report: scenarioCases.report })
    .from(scenarioCases)
    .where(eq(scenarioCases.runId, runId))
    .orderBy(asc(scenarioCases.position))
  const reports = rows.flatMap(({ report }) => report ?? [])
  const durationMs = (finishedAt ?? heartbeatAt).getTime() - startedAt.getTime()
  return fileResponse('scenarios.junit.xml', 'application/xml', junitXml(runReport(reports, startedAt, durationMs)))
}

export type RunRow = typeof scenarioRuns.$inferSelect

/** Throws `SCENARIO_NOT_FOUND`. */
export async function findRun(runId: string): Promise<RunRow> {
  const [row] = isUuid(runId) ? await database().select().from(scenarioRuns).where(eq(scenarioRuns.id, runId)) : []
  if (!row) throw new AppError('SCENARIO_NOT_FOUND', 'There is no such run.')
  return row
}

function readOutcomes(runId: string): Promise<Pick<ScenarioCaseSummary, 'outcome'>[]> {
  return database().select({ outcome: scenarioCases.outcome }).from(scenarioCases).where(eq(scenarioCases.runId, runId))
}

async function readCasesOfRun(runId: string): Promise<ScenarioCaseSummary[]> {
  const { position, file, title, label, outcome, report } = scenarioCases
  const rows = await database()
    .select({
      position,
      file,
      title,
      label,
      outcome,
      durationMs: sql<number | null>`(${report}->>'durationMs')::integer`,
      step: sql<StepReport | null>`jsonb_path_query_first(${report},
        '$.steps[*] ? (@.outcome == "failed" || @.outcome == "skipped" || @.outcome == "running")')`,
    })
    .from(scenarioCases)
    .where(eq(scenarioCases.runId, runId))
    .orderBy(asc(position))
  return rows.map(({ step, durationMs, ...row }) => ({
    ...row,
    durationMs: durationMs ?? 0,
    step: step?.name ?? null,
    failure: step ? failureText(step) : null,
  }))
}

function toSummary(row: RunRow, cases: readonly Pick<ScenarioCaseSummary, 'outcome'>[]): ScenarioRunSummary {
  const count = (outcome: ScenarioCaseSummary['outcome']) => cases.filter((one) => one.outcome === outcome).length
  const counts = { total: cases.length, passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
  return {
    id: row.id,
    title: row.title,
    state: runState(row, counts),
    by: row.staffName,
    sandbox: row.sandbox,
    startedAt: row.startedAt.toISOString(),
    finishedAt: isoTime(row.finishedAt),
    problem: row.problem,
    counts,
  }
}

function isUnderWay({ finishedAt, heartbeatAt }: RunRow): boolean {
  return finishedAt === null && Date.now() - heartbeatAt.getTime() <= interruptedAfterMs
}

function runState(row: RunRow, { total, passed, failed, skipped }: ScenarioRunSummary['counts']): ScenarioRunState {
  if (row.finishedAt === null) return isUnderWay(row) ? 'running' : 'interrupted'
  if (failed > 0) return 'failed'
  return passed + skipped < total ? 'stopped' : 'passed'
}
