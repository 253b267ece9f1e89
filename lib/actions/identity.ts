'use server'

import { act } from '#lib/console/desk/operations/act.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import type { ResubmitIdentityInput, SimulateIdentityInput } from '#lib/console/identity/operations.ts'
import type { ClientIdentity } from '#lib/contract/records.ts'

export async function resubmitIdentity(input: ResubmitIdentityInput): Promise<ActionResult<ClientIdentity>> {
  return act('identity.resubmit', input)
}

export async function simulateIdentity(input: SimulateIdentityInput): Promise<ActionResult<ClientIdentity>> {
  return act('identity.simulate', input)
}
