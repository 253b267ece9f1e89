'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import { act } from '#lib/console/desk/operations/act.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import type {
  PreviewLimitsInput,
  PreviewLimitsResult,
  StartLimitsInput,
  StartLimitsResult,
} from '#lib/console/limits/many.ts'
import * as many from '#lib/console/limits/many.ts'
import type { SetLimitInput } from '#lib/console/limits/operations.ts'
import type { CardAccount } from '#lib/contract/records.ts'

export async function setLimit(input: SetLimitInput): Promise<ActionResult<CardAccount>> {
  return act('account.set-limit', input)
}

/** Previews the changes of a file; nothing is changed. */
export async function previewLimits(input: PreviewLimitsInput): Promise<PreviewLimitsResult> {
  return withBareFailures(() => many.previewLimits(input))
}

export async function startLimits(input: StartLimitsInput): Promise<StartLimitsResult> {
  return withBareFailures(() => many.startLimits(input))
}
