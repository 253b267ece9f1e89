import type { ScenarioVariable } from '#lib/scenarios/cases.ts'
import type { Mistake } from '#lib/scenarios/parse.ts'
import type { CaseOutcome, CaseReport } from '#lib/scenarios/report.ts'

/** A built-in scenario, as the screen lists it. */
export type ListedScenario = {
  name: string
  title: string
  description: string
  tags: string[]
  cases: number
  variables: ScenarioVariable[]
}

/** What the person has recorded. `startedAt` is ISO 8601. */
export type Recording = { startedAt: string; isRecording: boolean; steps: number }

/** `waiting`: not begun. */
export type ScenarioCaseOutcome = CaseOutcome | 'waiting'

/** `interrupted`: its process ended before the run did. Times are ISO 8601. */
export type ScenarioRunState = 'running' | 'passed' | 'failed' | 'stopped' | 'interrupted'

export type ScenarioRunSummary = {
  id: string
  title: string
  state: ScenarioRunState
  by: string
  startedAt: string
  finishedAt: string | null
  problem: string | null
  counts: Record<'total' | 'passed' | 'failed' | 'skipped', number>
}

/** One case in the list of a run. `failure` is the first difference of its failed step. */
export type ScenarioCaseSummary = {
  position: number
  file: string
  title: string
  label: string | null
  outcome: ScenarioCaseOutcome
  durationMs: number
  /** The step that runs, failed or was skipped. */
  step: string | null
  failure: string | null
}

export type ScenarioRun = ScenarioRunSummary & { cases: ScenarioCaseSummary[] }

/** The report of a case; null until it begins. */
export type ScenarioCaseDetail = { report: CaseReport | null }

/** `mistakes`: the file is wrong. `variables`: it needs values. Nothing was run then. */
export type StartScenariosResult =
  | { kind: 'started'; runId: string }
  | { kind: 'mistakes'; mistakes: Mistake[] }
  | { kind: 'variables'; variables: ScenarioVariable[] }
  | { kind: 'problem'; message: string }
