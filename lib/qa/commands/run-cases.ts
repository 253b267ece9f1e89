import type { Case } from '#lib/qa/scenarios/cases.ts'
import type { CaseReport } from '#lib/qa/scenarios/report.ts'
import { CaseLost, runCase, type RunOptions } from '#lib/qa/scenarios/run.ts'
import { withSandbox } from '#lib/qa/scenarios/sandbox.ts'
import type { Scenario } from '#lib/qa/scenarios/schema.ts'
import { openTarget, Unreachable, type ScenarioService, type Target } from '#lib/qa/scenarios/target.ts'

/**
 * Runs cases until all have ended, the signal says to stop, or with `bail` one has failed. `show` gets their reports in the order
 * of the cases. `lost` says why the service could not be reached any more, where cases had begun before. Workers that get no sandbox
 * leave their cases to the others. Throws where no case could begin.
 */
export async function runCases(
  waiting: readonly { scenario: Scenario; one: Case }[],
  connection: ScenarioService,
  {
    workers,
    bail,
    options,
    show,
  }: {
    workers: number | null
    bail: boolean
    options: Omit<RunOptions, 'target'>
    show: (report: CaseReport) => void
  },
): Promise<{ reports: CaseReport[]; lost: string | null }> {
  const ended: (CaseReport | undefined)[] = []
  let [taken, printed] = [0, 0]
  let isEnding = false
  let lost: string | null = null

  /** Runs the cases that no other worker has taken. */
  async function work(target: Target): Promise<void> {
    while (!options.signal?.aborted && !isEnding) {
      const index = taken++
      const next = waiting[index]
      if (!next) return
      const report = await runCase(next.scenario, next.one, { ...options, target }).catch((error: unknown) => {
        if (error instanceof CaseLost) ended[index] = error.report
        throw error
      })
      ended[index] = report
      isEnding ||= bail && report.outcome === 'failed'
      for (let at = ended[printed]; at; at = ended[++printed]) show(at)
    }
  }

  async function workInSandbox(): Promise<{ isMade: boolean; error: unknown }> {
    let isMade = false
    try {
      await withSandbox(connection, (target) => {
        isMade = true
        return work(target)
      })
      return { isMade, error: null }
    } catch (error) {
      isEnding ||= isMade
      return { isMade, error }
    }
  }

  try {
    if (workers === null) await withTarget(connection, work)
    else {
      const results = await Promise.all(Array.from({ length: Math.min(workers, waiting.length) }, workInSandbox))
      const hasWorked = results.some(({ isMade }) => isMade)
      const failed = results.find(({ isMade, error }) => error !== null && (isMade || !hasWorked))
      if (failed) throw failed.error
    }
  } catch (error) {
    // Other cases may have created records: their report is not lost with the service.
    if (!(error instanceof Unreachable) || ended.length === 0) throw error
    lost = error.message
  }
  // A case that was not run leaves a gap: those behind it were not printed yet.
  for (const one of ended.slice(printed)) if (one) show(one)
  return { reports: ended.filter((one) => one !== undefined), lost }
}

async function withTarget(connection: ScenarioService, work: (target: Target) => Promise<void>): Promise<void> {
  const target = openTarget(connection)
  try {
    await work(target)
  } finally {
    await target.close()
  }
}
