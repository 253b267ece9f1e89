import { OpenAccountScreen } from '#components/card-accounts/open/open-account-screen.tsx'
import { requireOpening } from '#lib/console/card-accounts/operations.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Open card account' }

export default page(({ environment, search }) => ({
  here: routes.openAccount(environment, search),
  reads: [() => requireOpening(environment), read('listIndividualLists', environment)],
  screen: <OpenAccountScreen />,
}))
