import { OverviewScreen } from '#components/overview/overview-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from './prefetch.tsx'

export const metadata = { title: 'Home' }

export default page(({ environment }) => ({
  here: routes.overview(environment),
  reads: [read('readOverview', environment), read('readMyWork', environment), read('readTrends', environment)],
  screen: <OverviewScreen />,
}))
