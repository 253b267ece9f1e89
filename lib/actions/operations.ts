'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import type { ResolveOperationInput } from '#lib/console/desk/operations/resolve.ts'
import * as operations from '#lib/console/desk/operations/resolve.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'

export async function resolveOperation(input: ResolveOperationInput): Promise<ActionResult> {
  return withBareFailures(() => operations.resolveOperation(input))
}
