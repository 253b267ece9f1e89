import { redirect } from 'next/navigation'
import { routes } from '#lib/shared/routes.ts'

/** The short URL of the Staff page, for docs: every page of the console belongs to an environment. */
export default function StaffRedirect() {
  redirect(routes.staff('sandbox'))
}
