'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import type {
  PreviewLimitsInput,
  PreviewLimitsResult,
  StartLimitsInput,
  StartLimitsResult,
} from '#lib/console/limits/many.ts'
import * as many from '#lib/console/limits/many.ts'
import type { SetLimitInput, SetLimitResult } from '#lib/console/limits/set.ts'
import * as limits from '#lib/console/limits/set.ts'

export async function setLimit(input: SetLimitInput): Promise<SetLimitResult> {
  return withBareFailures(() => limits.setLimit(input))
}

/** Reads what a file would do; nothing is changed. */
export async function previewLimits(input: PreviewLimitsInput): Promise<PreviewLimitsResult> {
  return withBareFailures(() => many.previewLimits(input))
}

export async function startLimits(input: StartLimitsInput): Promise<StartLimitsResult> {
  return withBareFailures(() => many.startLimits(input))
}
