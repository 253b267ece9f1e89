'use server'

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import type { EnrolmentResult } from '#lib/console/desk/shapes.ts'
import type { PasskeyResult } from '#lib/console/desk/step-up/passkeys.ts'
import * as passkeys from '#lib/console/desk/step-up/passkeys.ts'

export async function beginEnrolment(): Promise<EnrolmentResult> {
  return withBareFailures(() => passkeys.beginEnrolment())
}

export async function finishEnrolment(input: {
  id: string
  name: string
  response: RegistrationResponseJSON
}): Promise<PasskeyResult> {
  return withBareFailures(() => passkeys.finishEnrolment(input))
}

export async function renamePasskey(input: { id: string; name: string }): Promise<PasskeyResult> {
  return withBareFailures(() => passkeys.renamePasskey(input))
}

export async function removePasskey(input: { id: string }): Promise<PasskeyResult> {
  return withBareFailures(() => passkeys.removePasskey(input))
}

/** Sends a passkey's signature over the action that it confirms. */
export async function confirmStepUp(input: {
  id: string
  response: AuthenticationResponseJSON
}): Promise<PasskeyResult> {
  return withBareFailures(() => passkeys.confirmStepUp(input))
}
