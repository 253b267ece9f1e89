import { LabScreen } from '#components/lab/lab-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../prefetch.tsx'

export const metadata = { title: 'QA lab' }

export default page(({ environment, search }) => ({
  here: routes.lab(environment, search),
  // The browser reads those of a sandbox of its own, which may have ended.
  reads: [read('listSandboxes', environment), ...(search.sandbox ? [] : [read('readLabDetails', environment)])],
  screen: <LabScreen />,
}))
