import { notFound, redirect } from 'next/navigation'
import { type Environment, routes } from '#lib/shared/routes.ts'

/** The short URLs of the settings, for docs: every page of the console belongs to an environment. */
const pages: Partial<Record<string, (environment: Environment) => string>> = {
  account: routes.ownAccount,
  connection: routes.connection,
  embedding: routes.embedding,
  policy: routes.policy,
  staff: routes.staff,
}

export default async function SettingsRedirect({ params }: PageProps<'/settings/[page]'>) {
  const { page } = await params
  const path = Object.hasOwn(pages, page) ? pages[page] : undefined
  redirect(path?.('sandbox') ?? notFound())
}
