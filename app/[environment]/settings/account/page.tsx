import { HydrationBoundary } from '@tanstack/react-query'
import { AccountScreen } from '#components/account/account-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../../prefetch.ts'

export const metadata = { title: 'Your account' }

export default async function AccountPage({ params }: PageProps<'/[environment]/settings/account'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(routes.ownAccount(environment), read('readOwnAccount', environment))
  return (
    <HydrationBoundary state={state}>
      <AccountScreen environment={environment} />
    </HydrationBoundary>
  )
}
