'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import * as references from '#lib/console/references.ts'
import type { SetReferenceInput, SetReferenceResult } from '#lib/console/references.ts'

export async function setReference(input: SetReferenceInput): Promise<SetReferenceResult> {
  return withBareFailures(() => references.setReference(input))
}
