import { redirect } from 'next/navigation'
import { routes } from '#lib/shared/routes.ts'

/** The short URL of the Policy page, for docs: every page of the console belongs to an environment. */
export default function PolicyRedirect() {
  redirect(routes.policy('sandbox'))
}
