'use server'

import type { ActionResult } from '#lib/console/act.ts'
import { withBareFailures } from '#lib/console/bare-failure.ts'
import type { ResolveOperationInput } from '#lib/console/operations/resolve.ts'
import * as operations from '#lib/console/operations/resolve.ts'

export async function resolveOperation(input: ResolveOperationInput): Promise<ActionResult> {
  return withBareFailures(() => operations.resolveOperation(input))
}
