'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import type { NotStarted } from '#lib/console/desk/shapes.ts'
import * as recording from '#lib/console/lab/recording.ts'
import type { RecordScenarioInput } from '#lib/console/lab/recording.ts'
import type { StartScenariosInput, StopScenariosInput } from '#lib/console/lab/scenario-runs.ts'
import * as runs from '#lib/console/lab/scenario-runs.ts'
import type { StartScenariosResult } from '#lib/console/lab/shapes.ts'

export async function startScenarios(input: StartScenariosInput): Promise<StartScenariosResult | NotStarted> {
  return withBareFailures(() => runs.startScenarios(input))
}

export async function stopScenarios(input: StopScenariosInput): Promise<{ kind: 'stopped' } | NotStarted> {
  return withBareFailures(() => runs.stopScenarios(input))
}

export async function recordScenario(input: RecordScenarioInput): Promise<{ kind: 'recorded' } | NotStarted> {
  return withBareFailures(() => recording.recordScenario(input))
}
