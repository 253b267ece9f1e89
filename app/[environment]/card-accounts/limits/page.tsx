import { LimitsScreen } from '#components/limits/limits-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, requireOperation } from '../../prefetch.tsx'

export const metadata = { title: 'Limits by CSV' }

export default page(({ environment, search }) => ({
  here: routes.limits(environment, search),
  // Its lines are read in the browser: those of the server would outlast the page in the browser's memory.
  reads: [requireOperation('account.set-limit', environment)],
  screen: <LimitsScreen />,
}))
