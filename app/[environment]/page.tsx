import { OverviewScreen } from '#components/overview/overview-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from './prefetch.tsx'

export const metadata = { title: 'Overview' }

export default page(({ environment }) => ({
  here: routes.overview(environment),
  reads: [read('readOverview', environment)],
  screen: <OverviewScreen />,
}))
