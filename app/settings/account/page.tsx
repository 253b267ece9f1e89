import { redirect } from 'next/navigation'
import { routes } from '#lib/shared/routes.ts'

/** The short URL of a person's own account, for docs: every page of the console belongs to an environment. */
export default function AccountRedirect() {
  redirect(routes.ownAccount('sandbox'))
}
