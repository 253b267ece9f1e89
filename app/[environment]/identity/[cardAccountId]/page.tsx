import { HydrationBoundary } from '@tanstack/react-query'
import { IdentityCaseScreen } from '#components/identity/identity-case-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { decoded, environmentOf, prefetch, read } from '../../prefetch.ts'

export const metadata = { title: 'Identity case' }

export default async function IdentityCasePage({ params }: PageProps<'/[environment]/identity/[cardAccountId]'>) {
  const { environment: name, cardAccountId } = await decoded(params)
  const environment = environmentOf(name)
  const state = await prefetch(
    routes.identityCase(environment, cardAccountId),
    read('readIdentityCase', environment, cardAccountId),
  )
  return (
    <HydrationBoundary state={state}>
      <IdentityCaseScreen environment={environment} cardAccountId={cardAccountId} />
    </HydrationBoundary>
  )
}
