'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import * as identity from '#lib/console/identity/actions.ts'
import type {
  IdentityActionResult,
  ResubmitIdentityInput,
  SimulateIdentityInput,
} from '#lib/console/identity/actions.ts'

export async function resubmitIdentity(input: ResubmitIdentityInput): Promise<IdentityActionResult> {
  return withBareFailures(() => identity.resubmitIdentity(input))
}

export async function simulateIdentity(input: SimulateIdentityInput): Promise<IdentityActionResult> {
  return withBareFailures(() => identity.simulateIdentity(input))
}
