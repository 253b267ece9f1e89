'use server'

import { act, type ActionResult } from '#lib/console/desk/operations/act.ts'
import type { Reference } from '#lib/console/references/detail.ts'
import type { SetReferenceInput } from '#lib/console/references/operations.ts'

export async function setReference(input: SetReferenceInput): Promise<ActionResult<Reference>> {
  return act('reference.set', input)
}
