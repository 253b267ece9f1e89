'use server'

import { redirect } from 'next/navigation'
import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import { submitSignIn } from '#lib/console/desk/session/sign-in-form.ts'
import { endCurrentSession } from '#lib/console/desk/session/sign-in.ts'

/** Opens a session and redirects to the requested page, or back to the sign-in page with a code. */
export async function signIn(form: FormData): Promise<void> {
  redirect(await withBareFailures(() => submitSignIn(form)))
}

/** Ends the session on the server and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  redirect(await withBareFailures(endCurrentSession))
}

/** Ends the session on the server and leads, by the sign-in page, back to the console's path `returnTo`. */
export async function signInAgain(returnTo: string): Promise<void> {
  const backTo = typeof returnTo === 'string' ? returnTo : '/'
  redirect(await withBareFailures(() => endCurrentSession(backTo)))
}
