import { OverviewScreen } from '#components/overview/overview-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from './prefetch.tsx'

export const metadata = { title: 'Home' }

export default page(({ environment }) => ({
  here: routes.overview(environment),
  // What waits for the person is read by the layout, for each page.
  reads: [read('readOverview', environment), read('readTrends', environment)],
  screen: <OverviewScreen />,
}))
