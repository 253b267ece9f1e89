'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import * as lab from '#lib/console/lab/actions.ts'
import type { LabActionInput, LabActionResult } from '#lib/console/lab/actions.ts'

export async function performLabAction(input: LabActionInput): Promise<LabActionResult> {
  return withBareFailures(() => lab.performLabAction(input))
}
