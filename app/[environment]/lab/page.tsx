import { LabScreen } from '#components/qa/lab-screen.tsx'
import { findLab } from '#lib/environments/lab.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../prefetch.tsx'

export const metadata = { title: 'QA lab' }

export default page(({ environment, search }) => ({
  here: routes.lab(environment, search),
  // Without a control plane the screen is the simulators of the interface, for the same people. The browser reads those of a sandbox
  // of its own, which may have ended.
  reads:
    findLab(environment) === 'interface'
      ? [read('readExplorer', environment)]
      : [read('listSandboxes', environment), ...(search.sandbox ? [] : [read('readLabDetails', environment)])],
  screen: <LabScreen />,
}))
