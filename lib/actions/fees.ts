'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import type { WaiveFeeInput, WaiveFeeResult } from '#lib/console/fees/actions.ts'
import * as fees from '#lib/console/fees/actions.ts'
import type {
  ChosenFeesInput,
  StartWaiversInput,
  StartWaiversResult,
  WaiverPreviewResult,
} from '#lib/console/fees/waive-many.ts'
import * as waivers from '#lib/console/fees/waive-many.ts'

export async function waiveFee(input: WaiveFeeInput): Promise<WaiveFeeResult> {
  return withBareFailures(() => fees.waiveFee(input))
}

export async function previewWaivers(input: ChosenFeesInput): Promise<WaiverPreviewResult> {
  return withBareFailures(() => waivers.previewWaivers(input))
}

export async function startWaivers(input: StartWaiversInput): Promise<StartWaiversResult> {
  return withBareFailures(() => waivers.startWaivers(input))
}
