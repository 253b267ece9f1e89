'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import { act } from '#lib/console/desk/operations/act.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import type { WaiveFeeInput } from '#lib/console/fees/operations.ts'
import type { FeeDetail, StartWaiversResult } from '#lib/console/fees/shapes.ts'
import type { ChosenFeesInput, StartWaiversInput, WaiverPreviewResult } from '#lib/console/fees/waive-many.ts'
import * as waivers from '#lib/console/fees/waive-many.ts'

export async function waiveFee(input: WaiveFeeInput): Promise<ActionResult<FeeDetail>> {
  return act('fee.waive', input)
}

export async function previewWaivers(input: ChosenFeesInput): Promise<WaiverPreviewResult> {
  return withBareFailures(() => waivers.previewWaivers(input))
}

export async function startWaivers(input: StartWaiversInput): Promise<StartWaiversResult> {
  return withBareFailures(() => waivers.startWaivers(input))
}
