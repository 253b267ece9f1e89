import { PolicyScreen } from '#components/approvals/policy-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Policy' }

export default page(({ environment }) => ({
  here: routes.policy(environment),
  reads: [read('readPolicy', environment)],
  screen: <PolicyScreen />,
}))
