import { LabScreen } from '#components/lab/lab-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../prefetch.tsx'

export const metadata = { title: 'QA lab' }

export default page(({ environment }) => ({
  here: routes.lab(environment),
  reads: [read('readLabDetails', environment)],
  screen: <LabScreen />,
}))
