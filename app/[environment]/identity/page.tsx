import { IdentityListScreen } from '#components/identity/identity-list-screen.tsx'
import { identityList } from '#components/identity/identity-params.ts'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readParams } from '../prefetch.tsx'

export const metadata = { title: 'Identity' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'identity', routes.identity(environment), search)
  const filters = await readParams(identityList, search)
  return {
    here: routes.identity(environment, search),
    reads: [read('listIdentities', environment, filters)],
    screen: <IdentityListScreen />,
  }
})
