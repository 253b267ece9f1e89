import { OwnAccountScreen } from '#components/own-account/own-account-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Your account' }

export default page(({ environment }) => ({
  here: routes.ownAccount(environment),
  reads: [read('readOwnAccount', environment)],
  screen: <OwnAccountScreen />,
}))
