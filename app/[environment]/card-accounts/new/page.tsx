import { OpenAccountScreen } from '#components/card-accounts/open/open-account-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read, requireOperation } from '../../prefetch.tsx'

export const metadata = { title: 'Open card account' }

export default page(({ environment, search }) => ({
  here: routes.openAccount(environment, search),
  reads: [requireOperation('account.open', environment), read('listIndividualLists', environment)],
  screen: <OpenAccountScreen />,
}))
