'use server'

import { redirect } from 'next/navigation'
import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import { submitSignIn } from '#lib/console/desk/session/sign-in-form.ts'

/** Opens a session and redirects to the requested page, or back to the sign-in page with a code. */
export async function signIn(form: FormData): Promise<void> {
  redirect(await withBareFailures(() => submitSignIn(form)))
}
