import { OverviewScreen } from '#components/overview/overview-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readPageZone } from './prefetch.tsx'

export const metadata = { title: 'Home' }

export default page(async ({ environment }) => ({
  here: routes.overview(environment),
  // What waits for the person is read by the layout, for each page.
  reads: [
    read('readOverview', environment),
    read('readTrends', environment, { timeZone: (await readPageZone()).name }),
  ],
  screen: <OverviewScreen />,
}))
