'use server'

import { redirect } from 'next/navigation'
import { submitSignIn } from '#lib/auth/sign-in-form.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'

/** Opens a session and redirects to the requested page, or back to the sign-in page with a code. */
export async function signIn(form: FormData): Promise<void> {
  redirect(await withSanitizedErrors(() => submitSignIn(form)))
}
