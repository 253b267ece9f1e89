import { MyWorkScreen } from '#components/my-work/my-work-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../prefetch.tsx'

export const metadata = { title: 'My work' }

export default page(({ environment }) => ({
  here: routes.myWork(environment),
  reads: [read('readMyWork', environment)],
  screen: <MyWorkScreen />,
}))
