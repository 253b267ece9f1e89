import type { Ref } from 'react'
import { routes } from '#lib/shared/routes.ts'

/** For buttons elsewhere on the page: one with the name `returnTo` signs in again and leads back to its value. */
export const signOutForm = 'sign-out'

/** Signs out by a document of its own, so that nothing of the page is left in the browser. */
export function SignOutForm({ ref }: { ref: Ref<HTMLFormElement> }) {
  return <form ref={ref} id={signOutForm} action={routes.signOut()} method="post" hidden />
}
