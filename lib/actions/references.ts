'use server'

import { act } from '#lib/console/desk/operations/act.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import type { SetReferenceInput } from '#lib/console/references/operations.ts'
import type { Reference } from '#lib/console/references/shapes.ts'

export async function setReference(input: SetReferenceInput): Promise<ActionResult<Reference>> {
  return act('reference.set', input)
}
