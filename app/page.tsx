import { redirect } from 'next/navigation'
import { routes } from '#lib/shared/routes.ts'

/** The sandbox is where everybody may begin; the way to production is a choice. */
export default function StartPage() {
  redirect(routes.overview('sandbox'))
}
